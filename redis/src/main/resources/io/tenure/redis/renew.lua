-- Extends many leases, each with its own fate.
--
-- KEYS  for each: the lease, the counter, the mark
-- ARGV  for each: value of the lease, token, ttl (ms), retention (ms; 0: for ever)
--
-- Answers for each: { 0, where counter or mark stood when that was too low or -1 }
--                   { 1, value of the lease or nil, its remaining ms, the counter }   lost
--                   { 2, text of the error }
-- On a replica it fails as a whole.

--@include number
--@include touch

-- An eighth more than asked for, so that not every renewal has to write the expiry of counter and mark.
local function lasting(retention)
  return string.format('%.0f', tonumber(retention) * 1.125)
end

local function restore(key, text, retention)
  if retention ~= '0' and redis.call('PTTL', key) ~= -1 then
    redis.call('SET', key, text, 'PX', lasting(retention))
  else
    redis.call('SET', key, text)
  end
end

local function renew(lease, counterKey, markKey, value, text, ttl, retention)
  local held = redis.call('GET', lease)
  local counter = redis.call('GET', counterKey)
  if held ~= value then return { 1, held, redis.call('PTTL', lease), counter } end
  local mark = redis.call('GET', markKey)
  local token = tonumber(text)
  -- The usual case compares text only.
  if counter == text and mark == text then
    local left = redis.call('PTTL', counterKey)
    if left >= 0 then
      if retention == '0' then
        redis.call('PERSIST', counterKey)
        redis.call('PERSIST', markKey)
      elseif left < tonumber(retention) then
        redis.call('PEXPIRE', counterKey, lasting(retention))
        redis.call('PEXPIRE', markKey, lasting(retention))
      end
    end
    -- Last: when the server refuses a command to this user, nothing has been extended.
    redis.call('PEXPIRE', lease, ttl)
    return { 0, -1 }
  end
  local stands = number(counter, counterKey)
  local marked = number(mark, markKey)
  local passed = stands > token or marked > token
  -- What is amiss: the higher one when it has passed the token, else the lower one, since both stood at it once.
  local stood = passed and math.max(stands, marked) or math.min(stands, marked)
  -- The fence refuses this token already: holding on would make a leader that cannot write.
  if stood > token then return { 1, held, redis.call('PTTL', lease), counter } end
  touch(lease)
  if stands < token then restore(counterKey, text, retention) end
  if marked < token then restore(markKey, text, retention) end
  redis.call('PEXPIRE', lease, ttl)
  return { 0, stood < token and stood or -1 }
end

local answers = {}
for i = 1, #KEYS / 3 do
  local key, arg = 3 * i, 4 * i
  -- One key of a wrong type must not cost the others their leases.
  local done, answer = pcall(renew, KEYS[key - 2], KEYS[key - 1], KEYS[key],
    ARGV[arg - 3], ARGV[arg - 2], ARGV[arg - 1], ARGV[arg])
  if not done then
    local text = type(answer) == 'table' and answer.err or tostring(answer)
    -- A replica refuses all of them, and the client has to know that it has to look for the primary.
    local readonly = string.find(text, 'READONLY ', 1, true)
    if readonly then return redis.error_reply(string.sub(text, readonly)) end
    answer = { 2, text }
  end
  answers[i] = answer
end
return answers
