-- The token above top. From 2^53 on doubles skip numbers, so two terms could get one token.
local function above(top, key)
  if top >= 9007199254740991 then error('TENURELIMIT ' .. key, 0) end
  return top + 1
end
