-- After a write that succeeded: the mark, which is behind only when it was lost, moves to the token, and counter and mark
-- have been used.
local retention = ARGV[#ARGV]
if mark ~= ARGV[1] or retention ~= '0' then
  local left = redis.call('PTTL', KEYS[#KEYS])
  if mark ~= ARGV[1] then
    if left > 0 then redis.call('SET', KEYS[1], ARGV[1], 'PX', left) else redis.call('SET', KEYS[1], ARGV[1]) end
  end
  if left >= 0 and left < tonumber(retention) then
    -- An eighth more than asked for, so that not every write has to write the expiry too.
    local keep = string.format('%.0f', tonumber(retention) * 1.125)
    redis.call('PEXPIRE', KEYS[1], keep)
    redis.call('PEXPIRE', KEYS[#KEYS], keep)
  end
end
return { 1, result }
