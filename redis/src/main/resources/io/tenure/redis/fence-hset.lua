-- KEYS 2 hash   ARGV 2 field  3 value
local result = redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
