-- Ends by force exactly the lease that was seen, burns a token, and wakes whoever is first in line.
--
-- KEYS  1 the lease  2 the counter  3 the mark  4 the line  5 when its waiters are due
-- ARGV  1 value of the lease  2 its token, 0 when it has none  3 canonical name  4 cluster: 1 or 0
--
-- Answers the sum of 1 when the lease was ended, and 2 when publishing is not permitted.

--@include number
--@include mint
--@include burn
--@include wake

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local stood = math.max(number(redis.call('GET', KEYS[2]), KEYS[2]), number(redis.call('GET', KEYS[3]), KEYS[3]))
local burnt = above(math.max(stood, tonumber(ARGV[2])), KEYS[2])
burn(burnt, KEYS[1], KEYS[2], KEYS[3])
redis.call('DEL', KEYS[1])
local kept, refused = pcall(wake, ARGV[3], 0, KEYS[4], KEYS[5], ARGV[4])
return (kept and refused == 1) and 3 or 1
