-- Raises counter and mark to a token that nobody is given. Keeps their expiry. To be called after a first write of the
-- script: from then on Redis lets SET pass although its memory is full.
local function burn(token, counter, mark)
  local text = string.format('%.0f', token)
  redis.call('SET', counter, text, 'KEEPTTL')
  redis.call('SET', mark, text, 'KEEPTTL')
end
