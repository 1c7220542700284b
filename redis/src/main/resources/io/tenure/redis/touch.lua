-- A write that changes nothing and takes no memory: once a script has written, Redis lets its SET pass although the memory
-- is full.
local function touch(key)
  local left = redis.call('PTTL', key)
  if left < 0 then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, math.max(left, 1)) end
end
