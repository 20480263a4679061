//! Starts `spvls serve` for SPIR-V assembly and hands it the user's settings.

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
        Ok(zed::Command {
            command,
            args: vec!["serve".into()],
            env: worktree.shell_env(),
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

zed::register_extension!(Spvls);
