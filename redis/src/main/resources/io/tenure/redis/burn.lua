-- Raises counter and mark to a token that nobody is given. Keeps their expiry. Comes before the end of the lease: when the
-- server refuses one of these commands to this user, the lease is as it was.
--@include touch
local function burn(token, lease, counter, mark)
  touch(lease)
  local text = string.format('%.0f', token)
  redis.call('SET', counter, text, 'KEEPTTL')
  redis.call('SET', mark, text, 'KEEPTTL')
end
