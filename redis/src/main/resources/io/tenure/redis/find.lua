-- Tells who has a lease.
--
-- KEYS  1 the lease  2 the counter
-- ARGV  1 take a lease's key of another type for none: 1 or 0
--
-- Answers { value of the lease or nil, its remaining ms, the counter }

-- One call for two keys. It shows a key of another type as missing.
local found = redis.call('MGET', KEYS[1], KEYS[2])
if not found[1] then
  if ARGV[1] == '0' then redis.call('GET', KEYS[1]) end -- raises when the key is there
  return { false }
end
return { found[1], redis.call('PTTL', KEYS[1]), found[2] }
