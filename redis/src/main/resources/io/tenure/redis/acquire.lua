-- Grants a lease, or tells who has it.
--
-- KEYS  1 the lease  2 the counter  3 the mark  4 the line  5 when its waiters are due
-- ARGV  1 value of the lease but for the token: holder#incarnation-attempt-  2 incarnation  3 ttl (ms)
--       4 the highest token the contender knows  5 takeover: 0 none, 1 same incarnation, 2 any
--       6 stay in line for twice this (ms), 0: stay out  7 mint from the clock: 1 or 0
--       8 keep counter and mark for (ms), 0: for ever
--
-- Granted: { 1, token }, with news { 1, token, where the counter stood when that was too low or -1, 1 when the clock was
--          no use }
-- Denied:  { 0, value of the lease, its remaining ms, the counter, place in line }
--
-- The path of a free lease nobody waits for is the one that counts: it makes as few calls as it can, and no closure.

-- One call for three keys. It shows a key of another type as missing, which is told apart before anything is written.
local found = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
local held, counter, mark = found[1], found[2], found[3]

if held then
  local prefix = ARGV[1]
  if string.sub(held, 1, #prefix) == prefix and string.find(held, '^[1-9]%d*$', #prefix + 1) then
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
    return { 1, tonumber(string.sub(held, #prefix + 1)) }
  end

  -- Whether the live lease is a leftover of the contender's own id that it may replace. An attempt that was abandoned and
  -- arrives late has a lower number than its successor, and must not displace it.
  local replaceable = false
  if ARGV[5] ~= '0' then
    local form = '^(.+)#([^#%-]+)%-([1-9]%d*)%-([1-9]%d*)$'
    local owner, incarnation, attempt, token = string.match(held, form)
    local holder, _, own = string.match(prefix .. '1', form)
    if owner == holder and #attempt <= 18 and tonumber(token) < 9007199254740992 then
      if incarnation == ARGV[2] then
        replaceable = tonumber(attempt) < tonumber(own)
      else
        replaceable = ARGV[5] == '2'
      end
    end
  end

  if not replaceable then
--@include queue
    local place = 0
    -- Keeping the line must not fail the attempt: memory may be full, or its keys somebody else's.
    if ARGV[6] ~= '0' then
      local kept, rank = pcall(queue, ARGV[2], tonumber(ARGV[6]))
      if kept then place = rank end
    else
      local rank = redis.pcall('ZRANK', KEYS[4], ARGV[2])
      if type(rank) == 'number' then place = rank + 1 end
    end
    local left = redis.call('PTTL', KEYS[1])
    if left == 0 then
      -- A replica of Redis 6 goes on showing a lease that has run out. A write that changes nothing tells that it is one.
      local changed = redis.pcall('ZREM', KEYS[4], '')
      if type(changed) == 'table' and string.find(changed.err, 'READONLY') then return changed end
    end
    return { 0, held, left, counter, place }
  end
end

-- Where the tokens stand. Text that is no number is refused: counting on from it would repeat tokens.
if not counter then counter = redis.call('GET', KEYS[2]) end
if not mark then mark = redis.call('GET', KEYS[3]) end
local stood = 0
if counter then
  if not string.find(counter, '^%d+$') then error('TENURENUMBER ' .. KEYS[2], 0) end
  stood = tonumber(counter)
end
-- A counter below what somebody knows has been lost, also when the mark makes up for it. A mark below it need not have
-- been: an early release of the Go library leaves it behind until its first write.
local counted = stood
if mark and mark ~= counter then
  if not string.find(mark, '^%d+$') then error('TENURENUMBER ' .. KEYS[3], 0) end
  local marked = tonumber(mark)
  if marked > stood then stood = marked end
end

local known = tonumber(ARGV[4])
local top = stood
if known > top then top = known end
local useless = 0
if ARGV[7] == '1' then
  local time = redis.call('TIME')
  local micros = time[1] * 1000000 + time[2]
  if micros > 4503599627370496 then
    useless = 1
  elseif micros > top then
    top = micros
  end
end
-- From 2^53 on doubles skip numbers, so two terms could get one token.
if top >= 9007199254740991 then error('TENURELIMIT ' .. KEYS[2], 0) end
local token = top + 1
local text = string.format('%.0f', token)

-- Counter and mark before the lease: whatever command the server refuses to this user, no lease is left that nobody was
-- told of. At worst the tokens have risen.
local keep = ARGV[8]
if keep ~= '0' and (counter or mark) then
  -- An election's tokens are kept for ever, and a lock's as long as its most patient user wants: never shorten.
  local left = redis.call('PTTL', counter and KEYS[2] or KEYS[3])
  if left == -1 then keep = '0' elseif left > tonumber(keep) then keep = string.format('%.0f', left) end
end
if keep == '0' then
  redis.call('MSET', KEYS[2], text, KEYS[3], text)
else
  redis.call('SET', KEYS[2], text, 'PX', keep)
  redis.call('SET', KEYS[3], text, 'PX', keep)
end

if held then
  redis.call('SET', KEYS[1], ARGV[1] .. text, 'PX', ARGV[3])
elseif not redis.call('SET', KEYS[1], ARGV[1] .. text, 'PX', ARGV[3], 'NX') then
  redis.call('GET', KEYS[1]) -- raises: the key is there, but of another type
end

if redis.pcall('ZREM', KEYS[4], ARGV[2]) == 1 then redis.pcall('ZREM', KEYS[5], ARGV[2]) end
if counted < known or useless == 1 then return { 1, token, counted < known and counted or -1, useless } end
return { 1, token }
