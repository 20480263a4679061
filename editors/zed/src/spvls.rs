//! Starts `spvls serve` for SPIR-V assembly, isolated from the opened folder, and hands it the user's settings.

use zed_extension_api::{self as zed, serde_json, settings::LspSettings, LanguageServerId, Result, Worktree};

struct Spvls;

impl zed::Extension for Spvls {
    fn new() -> Self {
        Spvls
    }

    fn language_server_command(&mut self, _id: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let command = worktree
            .which("spvls")
            .ok_or("spvls is not on the PATH; get it with: pip install spvls")?;
        if is_inside(&command, &worktree.root_path()) {
            return Err(format!("{command} is not run: it lies in the opened folder"));
        }
        Ok(zed::Command {
            command,
            args: vec!["serve".into()],
            env: isolated(worktree.shell_env()),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)?.settings;
        Ok(settings.map(|spvls| serde_json::json!({ "spvls": spvls })))
    }
}

/// Whether a path lies in a folder, as the PATH leads there by a relative entry such as `.`.
fn is_inside(path: &str, folder: &str) -> bool {
    let separators = ['/', '\\'];
    path.strip_prefix(folder.trim_end_matches(separators))
        .is_some_and(|rest| rest.starts_with(separators))
}

/// An environment in which Python imports nothing from the working directory, which is the opened folder. An empty PYTHONPATH
/// counts as none; an empty entry in one is the working directory.
fn isolated(mut environment: Vec<(String, String)>) -> Vec<(String, String)> {
    environment.retain(|(name, _)| name != "PYTHONPATH" && name != "PYTHONSAFEPATH");
    environment.push(("PYTHONPATH".into(), String::new()));
    environment.push(("PYTHONSAFEPATH".into(), "1".into()));
    environment
}

zed::register_extension!(Spvls);
