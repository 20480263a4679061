-- A .spv file as a buffer of text: read as its disassembly, written as its binary.
local client = require("spvls.client")

local M = {}

local stat = (vim.uv or vim.loop).fs_stat
local CHANGED = "WARNING: %s has changed since it was read. Do you really want to write to it?"

-- What tells one state of a file from another, or nil where there is no file.
local function state_of(path)
  local found = stat(path)
  return found and { found.mtime.sec, found.mtime.nsec, found.size, found.ino }
end

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
  local state = state_of(path)
  local ok, failure = pcall(function()
    if not state then
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
  vim.b[buffer].spvls_state = state
  vim.bo[buffer].readonly = not ok
  vim.bo[buffer].modified = false
  if not ok then
    say(failure, "WarningMsg")
  end
end

local function is_own(buffer, path)
  return vim.fn.fnamemodify(path, ":p") == vim.api.nvim_buf_get_name(buffer)
end

-- Whether the buffer's own file is no longer what was read.
local function is_stale(buffer, path)
  local state = state_of(path)
  return state and is_own(buffer, path) and not vim.deep_equal(state, vim.b[buffer].spvls_state)
end

-- Neovim asks before it writes to a file that changed; so it is here.
local function agrees(path)
  return vim.fn.confirm(CHANGED:format(vim.fn.fnamemodify(path, ":~:.")), "&Yes\n&No", 2, "Warning") == 1
end

local function request_write(buffer, target, force)
  if vim.b[buffer].spvls_incomplete then
    error("the listing is incomplete: " .. vim.b[buffer].spvls_incomplete, 0)
  end
  client.ensure(vim.api.nvim_buf_get_name(buffer))
  client.attach(buffer)
  return client.request_sync(client.of(buffer), buffer, "spvls/writeBinary", {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    target = vim.uri_from_fname(vim.fn.fnamemodify(target, ":p")),
    force = force,
  })
end

-- Assembles a buffer into the file `target`. Says the reason when nothing is written; `force` asks nothing, and overrules the
-- server.
function M.write(buffer, target, force)
  local must_ask = not force and is_stale(buffer, target)
  if must_ask and not agrees(target) then
    say(target .. " was not written", "WarningMsg")
    return false
  end
  local ok, result = pcall(request_write, buffer, target, force)
  if ok and result.conflict == true and (must_ask or agrees(target)) then
    ok, result = pcall(request_write, buffer, target, true)
  end
  local reason = not ok and result or (not result.written and result.reason .. " (add ! to write all the same)")
  if reason then
    say(("%s was not written: %s"):format(target, reason), "ErrorMsg")
    return false
  end
  if is_own(buffer, target) then
    vim.b[buffer].spvls_state = state_of(target)
  end
  say(('"%s" %dB written'):format(target, result.bytes))
  return true
end

-- :write of a buffer that holds a listing. As with other files, another that exists is written with `force` alone.
function M.save(buffer, target, force)
  if not force and not is_own(buffer, target) and stat(target) then
    say(("%s was not written: it exists (add ! to override)"):format(target), "ErrorMsg")
  elseif M.write(buffer, target, force) and is_own(buffer, target) then
    vim.bo[buffer].modified = false
    vim.cmd("silent doautocmd <nomodeline> BufWritePost " .. vim.fn.fnameescape(target))
  end
end

-- `a.spv` for `a.spvasm`, `a.frag.spv` for `a.spvasm.frag`.
function M.target_of(path)
  return (path:gsub("%.spvasm$", ""):gsub("%.spvasm(%.[^./]+)$", "%1"):gsub("%.spv$", "")) .. ".spv"
end

return M
