-- KEYS 2 key   ARGV 2 value
local result = redis.call('SET', KEYS[2], ARGV[2])
