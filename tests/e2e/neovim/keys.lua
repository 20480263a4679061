-- Keys are there in each version, hover needs no parser, and what is missing is named.
local keys = require("spvls.keys")

local function mapped(lhs, mode)
  local found = vim.fn.maparg(lhs, mode or "n", false, true)
  return found.lhs ~= nil
end

check.attached()
for _, key in ipairs(keys.keys) do
  check.holds(mapped(key[2], key[1]), key[2] .. " is mapped")
end
check.equal(vim.bo.omnifunc, "v:lua.vim.lsp.omnifunc", "omnifunc")
check.equal(vim.bo.tagfunc, "v:lua.vim.lsp.tagfunc", "tagfunc")

local function floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return window
    end
  end
end

local function hover_says(what)
  vim.fn.search("OpTypeFloat")
  vim.api.nvim_feedkeys("K", "x", false)
  check.eventually("a hover " .. what, function()
    local window = floating()
    local text = window and table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n") or ""
    return text:find("OpTypeFloat", 1, true)
  end)
  vim.api.nvim_win_close(floating(), true)
end

hover_says("is shown")
keys.has_markdown = function()
  return false
end
local start = vim.treesitter.start
vim.treesitter.start = function()
  error("no parser")
end
hover_says("is shown without a parser")
vim.treesitter.start = start

vim.cmd("SpirvHints")
if vim.fn.has("nvim-0.10") == 1 then
  check.holds(vim.lsp.inlay_hint.is_enabled({ bufnr = 0 }), "hints are on")
  vim.cmd("SpirvHints")
  check.holds(not vim.lsp.inlay_hint.is_enabled({ bufnr = 0 }), "hints are off")
end

vim.cmd("checkhealth spvls")
local said = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
for _, piece in ipairs({ "hovers are plain text", "inlay hints", "completion", "tree%-sitter parser", "client %d+ runs" }) do
  check.holds(said:find(piece), "checkhealth speaks of " .. piece .. ": " .. said)
end
