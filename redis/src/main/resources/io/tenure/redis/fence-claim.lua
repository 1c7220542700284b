-- A check without a write.
local result = 0
