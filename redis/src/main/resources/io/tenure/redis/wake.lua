-- Tells the first live waiter of the line to look in `after` milliseconds, and the second one 50 ms later: a first one
-- that is paused must not strand the rest. A waiter whose channel nobody listens to is gone, or could not be woken
-- anyway, and leaves the line. Those who are told keep their place, since somebody else may be faster.
--
-- On a cluster the count of PUBLISH covers the local node only and says nothing: one waiter is told and leaves the line;
-- beaten, it enters again.
--
-- Answers 1 when publishing is not permitted, 0 otherwise.
local function wake(name, after, line, seen, cluster)
  local rank = 0
  while rank < 2 do
    local waiter = redis.call('ZRANGE', line, rank, rank)[1]
    if not waiter then return 0 end
    local reached = redis.pcall('PUBLISH', 'tenure:wake:' .. waiter, string.format('%.0f ', after) .. name)
    if type(reached) == 'table' then return 1 end
    if cluster == '1' or reached == 0 then
      redis.call('ZREM', line, waiter)
      redis.call('ZREM', seen, waiter)
      if cluster == '1' then return 0 end
    else
      rank = rank + 1
      after = after + 50
    end
  end
  return 0
end
