-- The check of a fence beside a lease that is kept elsewhere: a mark of its own, which was claimed.
--
-- KEYS  1 the mark
-- ARGV  1 the token

local mark = redis.call('GET', KEYS[1])
if mark ~= ARGV[1] then
--@include number
  local stood = number(mark, KEYS[1])
  if not mark or stood > tonumber(ARGV[1]) then return { 0, stood } end
  -- The mark will move after the write. Written unchanged now, it shows that it may be: refused after the write, it were
  -- too late.
  redis.call('SET', KEYS[1], mark, 'KEEPTTL')
end
