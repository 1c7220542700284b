-- After a write that succeeded.
if mark ~= ARGV[1] then redis.call('SET', KEYS[1], ARGV[1]) end
return { 1, result }
