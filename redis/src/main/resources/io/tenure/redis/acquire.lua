-- Grants a lease, or tells who has it.
--
-- KEYS  1 the lease  2 the counter  3 the mark  4 the line  5 when its waiters are due
-- ARGV  1 holder  2 incarnation  3 attempt  4 ttl (ms)  5 the highest token the contender knows
--       6 takeover: 0 none, 1 same incarnation, 2 any  7 stay in line for twice this (ms), 0: stay out
--       8 mint from the clock: 1 or 0  9 keep counter and mark for (ms), 0: for ever
--
-- Granted: { 1, token, where the tokens stood when that was too low or -1, 1 when the clock was no use }
-- Denied:  { 0, value of the lease, its remaining ms, the counter, place in line }

--@include number
--@include mint

local prefix = ARGV[1] .. '#' .. ARGV[2] .. '-' .. ARGV[3] .. '-'

-- Whether the live lease is a leftover of the contender's own id that it may replace. An attempt that was abandoned and
-- arrives late has a lower number than its successor, and must not displace it.
local function replaceable(held)
  if ARGV[6] == '0' then return false end
  local holder, incarnation, attempt, token = string.match(held, '^(.+)#([^#%-]+)%-([1-9]%d*)%-([1-9]%d*)$')
  if holder ~= ARGV[1] or #attempt > 18 or tonumber(token) >= 9007199254740992 then return false end
  if incarnation == ARGV[2] then return tonumber(attempt) < tonumber(ARGV[3]) end
  return ARGV[6] == '2'
end

-- Enters the line, or stays in it, and answers the place. A waiter that was seen within a sixteenth of its period costs
-- no write: pushes can make it look many times a second.
local function queue(me, period)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', string.format('(%.0f', now), 'LIMIT', 0, 4)) do
    if gone ~= me then
      redis.call('ZREM', KEYS[4], gone)
      redis.call('ZREM', KEYS[5], gone)
    end
  end
  local rank = redis.call('ZRANK', KEYS[4], me)
  local due = redis.call('ZSCORE', KEYS[5], me)
  local stay = 2 * period
  if rank and due and tonumber(due) >= now + stay - period / 16 then return rank + 1 end
  if not rank then
    -- Strictly rising, so that arrivals within one millisecond keep their order.
    local last = redis.call('ZRANGE', KEYS[4], -1, -1, 'WITHSCORES')
    local score = last[2] and math.max(now, tonumber(last[2]) + 1) or now
    redis.call('ZADD', KEYS[4], string.format('%.0f', score), me)
    rank = redis.call('ZRANK', KEYS[4], me)
  end
  redis.call('ZADD', KEYS[5], string.format('%.0f', now + stay), me)
  for line = 4, 5 do
    if redis.call('PTTL', KEYS[line]) < stay then redis.call('PEXPIRE', KEYS[line], string.format('%.0f', stay)) end
  end
  return rank + 1
end

local held = redis.call('GET', KEYS[1])
if held then
  if string.sub(held, 1, #prefix) == prefix and string.find(held, '^[1-9]%d*$', #prefix + 1) then
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    return { 1, tonumber(string.sub(held, #prefix + 1)), -1, 0 }
  end
  if not replaceable(held) then
    local place = 0
    -- Keeping the line must not fail the attempt: memory may be full, or its keys somebody else's.
    if ARGV[7] ~= '0' then
      local kept, found = pcall(queue, ARGV[2], tonumber(ARGV[7]))
      if kept then place = found end
    else
      local rank = redis.pcall('ZRANK', KEYS[4], ARGV[2])
      if type(rank) == 'number' then place = rank + 1 end
    end
    return { 0, held, redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[2]), place }
  end
end

local counter = redis.call('GET', KEYS[2])
local mark = redis.call('GET', KEYS[3])
local stood = math.max(number(counter, KEYS[2]), number(mark, KEYS[3]))
local known = tonumber(ARGV[5])
local top = math.max(stood, known)
local useless = 0
if ARGV[8] == '1' then
  local time = redis.call('TIME')
  local micros = time[1] * 1000000 + time[2]
  if micros > 4503599627370496 then useless = 1 else top = math.max(top, micros) end
end
local token = above(top, KEYS[2])
local text = string.format('%.0f', token)

redis.call('SET', KEYS[1], prefix .. text, 'PX', ARGV[4])
local keep = tonumber(ARGV[9])
if keep > 0 then
  -- An election's tokens are kept for ever, and a lock's as long as its most patient user wants: never shorten.
  local left = redis.call('PTTL', counter and KEYS[2] or KEYS[3])
  if left == -1 then keep = 0 else keep = math.max(keep, left) end
end
if keep > 0 then
  local lasting = string.format('%.0f', keep)
  redis.call('SET', KEYS[2], text, 'PX', lasting)
  redis.call('SET', KEYS[3], text, 'PX', lasting)
else
  redis.call('SET', KEYS[2], text)
  redis.call('SET', KEYS[3], text)
end
if redis.pcall('ZREM', KEYS[4], ARGV[2]) == 1 then redis.pcall('ZREM', KEYS[5], ARGV[2]) end
return { 1, token, stood < known and stood or -1, useless }
