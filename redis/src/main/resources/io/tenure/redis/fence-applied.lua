-- After a write that succeeded: a mark that was lost or fell behind stands at the token again. The counter says the same,
-- so the fence holds without it: a refusal here must not turn an applied write into a failed one.
if mark ~= ARGV[1] then
  if left >= 0 then
    redis.pcall('SET', KEYS[1], ARGV[1], 'PX', math.max(left, 1))
  else
    redis.pcall('SET', KEYS[1], ARGV[1])
  end
end
return { 1, result }
