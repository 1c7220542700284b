-- A counter or mark as a number; 0 when the key is missing. Text that is no number is refused before anything is
-- written: counting on from it would hand out tokens that were handed out before.
local function number(text, key)
  if not text then return 0 end
  if not string.find(text, '^%d+$') then error('TENURENUMBER ' .. key, 0) end
  return tonumber(text)
end
