-- Raises the mark of a fence beside a lease that is kept elsewhere.
--
-- KEYS  1 the mark
-- ARGV  1 the token
--
-- Answers { 1 } or, when the mark is higher already, { 0, mark }

--@include number

local mark = redis.call('GET', KEYS[1])
if mark == ARGV[1] then return { 1 } end
local stood = number(mark, KEYS[1])
if stood > tonumber(ARGV[1]) then return { 0, stood } end
redis.call('SET', KEYS[1], ARGV[1])
return { 1 }
