-- A .spv file as a buffer of text: read as its disassembly, written as its binary.
local client = require("spvls.client")

local M = {}

local function say(message, group)
  vim.api.nvim_echo({ { message, group } }, true, {})
end

local function replace(buffer, text)
  local undolevels = vim.bo[buffer].undolevels
  vim.bo[buffer].undolevels = -1 -- there is nothing to undo in a file just read
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split((text:gsub("\n$", "")), "\n"))
  vim.bo[buffer].undolevels = undolevels
end

local function open_text(buffer)
  vim.bo[buffer].filetype = "spirv"
  client.attach(buffer) -- unless that did
end

-- Fills a buffer with the listing of `path`. One that stops early cannot be written: the rest would be lost.
function M.read(buffer, path)
  local ok, failure = pcall(function()
    if not (vim.uv or vim.loop).fs_stat(path) then
      return open_text(buffer)
    end
    local params = { uri = vim.uri_from_fname(vim.fn.fnamemodify(path, ":p")) }
    local result = client.request_sync(client.ensure(path), buffer, "spvls/disassemble", params)
    replace(buffer, result.text)
    open_text(buffer)
    if result.error and result.error ~= vim.NIL then
      error(result.error, 0)
    end
  end)
  vim.b[buffer].spvls_incomplete = not ok and failure or nil
  vim.bo[buffer].readonly = not ok
  vim.bo[buffer].modified = false
  if not ok then
    say(failure, "WarningMsg")
  end
end

-- Assembles a buffer into the file `target`. Says the reason when nothing is written; `force` overrules the server.
function M.write(buffer, target, force)
  local incomplete = vim.b[buffer].spvls_incomplete
  local ok, result = pcall(function()
    if incomplete then
      error("the listing is incomplete: " .. incomplete, 0)
    end
    client.ensure(vim.api.nvim_buf_get_name(buffer))
    client.attach(buffer)
    return client.request_sync(client.of(buffer), buffer, "spvls/writeBinary", {
      textDocument = { uri = vim.uri_from_bufnr(buffer) },
      target = vim.uri_from_fname(vim.fn.fnamemodify(target, ":p")),
      force = force,
    })
  end)
  local reason = not ok and result or (not result.written and result.reason .. " (add ! to write all the same)")
  if reason then
    say(("%s was not written: %s"):format(target, reason), "ErrorMsg")
    return false
  end
  say(('"%s" %dB written'):format(target, result.bytes))
  return true
end

-- :write of a buffer that holds a listing.
function M.save(buffer, target, force)
  if M.write(buffer, target, force) and target == vim.api.nvim_buf_get_name(buffer) then
    vim.bo[buffer].modified = false
    vim.cmd("silent doautocmd <nomodeline> BufWritePost " .. vim.fn.fnameescape(target))
  end
end

-- `a.spv` for `a.spvasm`, `a.frag.spv` for `a.spvasm.frag`.
function M.target_of(path)
  return (path:gsub("%.spvasm$", ""):gsub("%.spvasm(%.[^./]+)$", "%1"):gsub("%.spv$", "")) .. ".spv"
end

return M
