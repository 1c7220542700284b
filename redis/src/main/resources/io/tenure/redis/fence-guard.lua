-- The check and its epilogue for a fence on the store that mints the tokens: current is whoever holds the highest token
-- minted. With counter and mark both gone nothing tells a current token from a stale one, so all are refused.
--
-- KEYS  1 the mark, last the counter
-- ARGV  1 the token, last the retention (ms; 0: for ever)

--@include number

local mark, counter = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[#KEYS])
if mark ~= ARGV[1] or counter ~= ARGV[1] then
  local stood = math.max(number(mark, KEYS[1]), number(counter, KEYS[#KEYS]))
  if stood ~= tonumber(ARGV[1]) then return { 0, stood } end
end

-- Moves the mark, which is behind only after it was lost, and counts as a use of both.
local function applied()
  local left = redis.call('PTTL', KEYS[#KEYS])
  if mark ~= ARGV[1] then
    if left > 0 then redis.call('SET', KEYS[1], ARGV[1], 'PX', left) else redis.call('SET', KEYS[1], ARGV[1]) end
  end
  local retention = tonumber(ARGV[#ARGV])
  if left >= 0 and left < retention then
    local keep = string.format('%.0f', retention * 1.125)
    redis.call('PEXPIRE', KEYS[1], keep)
    redis.call('PEXPIRE', KEYS[#KEYS], keep)
  end
end
