-- Tells the first live waiter of the line to look in `after` milliseconds, and the second one 50 ms later: a first one
-- that is paused must not strand the rest. A waiter whose channel nobody listens to is gone, or could not be woken
-- anyway, and leaves the line. Those who are told keep their place, since somebody else may be faster.
--
-- On a cluster the count of PUBLISH covers the local node only: who was not reached here may have been elsewhere. It keeps
-- its place too, and has two seconds to ask again, as all do that are told; who does not is gone.
--
-- Answers 1 when publishing is not permitted, 0 otherwise.
local function wake(name, after, line, seen, cluster)
  local rank, now = 0, 0
  if cluster == '1' then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  while rank < 2 do
    local waiter = redis.call('ZRANGE', line, rank, rank)[1]
    if not waiter then return 0 end
    local due = cluster == '1' and tonumber(redis.call('ZSCORE', seen, waiter) or '')
    local gone = due and due < now
    if not gone then
      local reached = redis.pcall('PUBLISH', 'tenure:wake:' .. waiter, string.format('%.0f ', after) .. name)
      if type(reached) == 'table' then return 1 end
      gone = reached == 0 and not due
      if reached == 0 and due and due > now + after + 2000 then
        redis.pcall('ZADD', seen, 'XX', string.format('%.0f', now + after + 2000), waiter)
      end
    end
    if gone then
      redis.call('ZREM', line, waiter)
      redis.call('ZREM', seen, waiter)
    else
      rank = rank + 1
      after = after + 50
    end
  end
  return 0
end
