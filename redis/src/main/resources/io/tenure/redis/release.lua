-- Ends a lease, and wakes whoever is first in line.
--
-- KEYS  1 the lease  2 the counter  3 the mark  4 the line  5 when its waiters are due
-- ARGV  1 value of the lease; without the token at its end when that is 0  2 token; 0: whatever this attempt got
--       3 keep the name taken for (ms)  4 burn a token: 1 or 0  5 canonical name  6 cluster: 1 or 0
--
-- Answers the sum of 1 when the lease was released, and 2 when publishing is not permitted.

local held = redis.call('GET', KEYS[1])
local token = ARGV[2]
local ours = held == ARGV[1]
if held and token == '0' then
  local size = #ARGV[1]
  ours = string.sub(held, 1, size) == ARGV[1] and string.find(held, '^[1-9]%d*$', size + 1)
  if ours then token = string.sub(held, size + 1) end
end

local burnt
if ARGV[4] == '1' and (ours or not held and token ~= '0') then
--@include number
--@include mint
  local stood = math.max(number(redis.call('GET', KEYS[2]), KEYS[2]), number(redis.call('GET', KEYS[3]), KEYS[3]))
  -- A lease that ran out leaves its token current until the next grant: whoever asks to burn it has abandoned work that
  -- may still write.
  if ours or stood == tonumber(token) then burnt = above(math.max(stood, tonumber(token)), KEYS[2]) end
end

if burnt then
--@include burn
  burn(burnt, KEYS[1], KEYS[2], KEYS[3])
end
if not ours then return 0 end

local after = 0
if ARGV[3] == '0' then
  redis.call('DEL', KEYS[1])
else
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  after = tonumber(ARGV[3]) + 1
end

local first = redis.pcall('ZRANGE', KEYS[4], 0, 0)
if first.err or not first[1] then return 1 end
--@include wake
local kept, refused = pcall(wake, ARGV[5], after, KEYS[4], KEYS[5], ARGV[6])
return (kept and refused == 1) and 3 or 1
