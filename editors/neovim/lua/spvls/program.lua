-- Programs are started apart from the project: found at an absolute path, in a folder that is not the project's.
local M = {}

local is_windows = vim.fn.has("win32") == 1
local VERSION_MS = 10000

-- The folder in which programs start. It is always there, and nothing but Neovim is in it.
local function folder()
  return vim.env.VIMRUNTIME
end

local function is_absolute(path)
  if is_windows then
    return path:match("^%a:[/\\]") ~= nil or path:match("^[/\\][/\\]") ~= nil
  end
  return vim.startswith(path, "/")
end

-- The absolute path of a program given by its name or an absolute path, or nil. Relative entries of the PATH, and on Windows
-- the working directory, would give programs of the project and are passed over.
function M.find(name)
  if is_absolute(name) then
    return vim.fn.executable(name) == 1 and name or nil
  end
  if name:find("[/\\]") then
    return nil
  end
  for _, entry in ipairs(vim.split(vim.env.PATH or "", is_windows and ";" or ":", { plain = true })) do
    local path = entry .. "/" .. name
    if is_absolute(entry) and vim.fn.executable(path) == 1 then
      return path
    end
  end
end

-- The command with the path of its program. One that is not found gets a path at which there is nothing, because Neovim would
-- look for a bare name in other places. A function that connects to a server starts no program.
function M.resolved(cmd)
  if type(cmd) ~= "table" then
    return cmd
  end
  local first = M.find(cmd[1]) or folder() .. "/" .. vim.fn.fnamemodify(cmd[1], ":t")
  return vim.list_extend({ first }, cmd, 2)
end

-- What a client's configuration has besides: an empty PYTHONPATH counts as none, where an empty entry of one is the working
-- directory; PYTHONSAFEPATH keeps that out for `python -m`, too.
function M.isolation()
  return { cmd_cwd = folder(), cmd_env = { PYTHONPATH = "", PYTHONSAFEPATH = "1" } }
end

-- What the server's command says with `--version` in the place of `serve`, and its exit code.
function M.version(cmd)
  local isolation = M.isolation()
  local before = vim.tbl_filter(function(argument)
    return argument ~= "serve"
  end, cmd)
  local lines = {}
  local function collect(_, data)
    vim.list_extend(lines, data)
  end
  local job = vim.fn.jobstart(vim.list_extend(before, { "--version" }), {
    cwd = isolation.cmd_cwd,
    env = isolation.cmd_env,
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = collect,
    on_stderr = collect,
  })
  local code = vim.fn.jobwait({ job }, VERSION_MS)[1]
  return vim.trim(table.concat(lines, "\n")), code
end

return M
