-- Tells who has a lease.
--
-- KEYS  1 the lease  2 the counter
--
-- Answers { value of the lease or nil, its remaining ms, the counter }

local held = redis.call('GET', KEYS[1])
if not held then return { false } end
return { held, redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[2]) }
