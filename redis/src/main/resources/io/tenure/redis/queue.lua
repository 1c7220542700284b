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
