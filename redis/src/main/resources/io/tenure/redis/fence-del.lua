-- KEYS 2.. keys   ARGV 2 how many
local result = 0
for i = 2, 1 + ARGV[2] do result = result + redis.call('DEL', KEYS[i]) end
