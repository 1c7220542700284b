-- Tries whether this user may publish, by a message to a waiter's own channel that nobody takes for a wake-up: it tells
-- no time to look.
--
-- ARGV  1 incarnation
--
-- Answers 1 when publishing is not permitted, 0 otherwise.

local reached = redis.pcall('PUBLISH', 'tenure:wake:' .. ARGV[1], 'probe')
return type(reached) == 'table' and 1 or 0
