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

-- A write is a use of counter and mark. Told before it, since whatever the server refuses to this user must not be found out
-- after it. An eighth more than asked for, so that not every write has to write the expiry too.
local left = -1
if mark ~= ARGV[1] or ARGV[#ARGV] ~= '0' then
  left = redis.call('PTTL', KEYS[#KEYS])
  if left >= 0 and left < tonumber(ARGV[#ARGV]) then
    left = math.floor(tonumber(ARGV[#ARGV]) * 1.125)
    redis.call('PEXPIRE', KEYS[1], left)
    redis.call('PEXPIRE', KEYS[#KEYS], left)
  end
end
