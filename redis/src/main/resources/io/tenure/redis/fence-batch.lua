-- Many writes under one check.
--
-- KEYS 2.. one key a write   ARGV 2 how many writes, then for each: h field value, s value, d
local result = tonumber(ARGV[2])
local at = 3
for i = 2, 1 + result do
  local kind = ARGV[at]
  if kind == 'h' then
    redis.call('HSET', KEYS[i], ARGV[at + 1], ARGV[at + 2])
    at = at + 3
  elseif kind == 's' then
    redis.call('SET', KEYS[i], ARGV[at + 1])
    at = at + 2
  else
    redis.call('DEL', KEYS[i])
    at = at + 1
  end
end
