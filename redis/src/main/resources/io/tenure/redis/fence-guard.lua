-- The check of a fence on the store that mints the tokens: current is whoever holds the highest token minted. With
-- counter and mark both gone nothing tells a current token from a stale one, so all are refused.
--
-- KEYS  1 the mark, last the counter
-- ARGV  1 the token, last the retention (ms; 0: for ever)

local stands = redis.call('MGET', KEYS[1], KEYS[#KEYS])
local mark, counter = stands[1], stands[2]
if mark ~= ARGV[1] or counter ~= ARGV[1] then
--@include number
  -- Asked one by one, a key of another type is told from a missing one.
  local stood = math.max(
    number(mark or redis.call('GET', KEYS[1]), KEYS[1]),
    number(counter or redis.call('GET', KEYS[#KEYS]), KEYS[#KEYS]))
  if stood ~= tonumber(ARGV[1]) then return { 0, stood } end
end
