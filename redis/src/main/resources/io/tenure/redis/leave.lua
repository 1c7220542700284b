-- Takes a waiter out of the line. When the lease is free, it may have been the one that was told so: the next is woken.
-- The same for a push that nobody waits for any more.
--
-- KEYS  1 the lease  2 the line  3 when its waiters are due
-- ARGV  1 incarnation  2 canonical name  3 cluster: 1 or 0
--
-- Answers 1 when publishing is not permitted, 0 otherwise.

--@include wake

redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
return wake(ARGV[2], 0, KEYS[2], KEYS[3], ARGV[3])
