//! Where the wrapper's own files are: beside an installed wrapper, or where cargo built them.
use std::env;
use std::path::{Path, PathBuf};

/// The files that are added to a command line; `None` for those that are not there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// The pass plugin for this clang.
    pub plugin: Option<PathBuf>,
    /// The recorders as an object, for a clang without plugin.
    pub recorders: Option<PathBuf>,
    /// The folder of `waypoint.h`.
    pub include: Option<PathBuf>,
    /// The fuzzing engine, which brings `main`.
    pub engine: Option<PathBuf>,
}

impl Files {
    /// What there is for this major version of clang.
    #[must_use]
    pub fn find(major: u32) -> Self {
        let exe = env::current_exe().ok();
        let bin = exe.as_deref().and_then(Path::parent);
        let installed = bin.and_then(Path::parent).map(|prefix| prefix.join("lib/waypoint"));
        let built = PathBuf::from(env!("OUT_DIR"));
        let either = |name: &str, in_place: Option<PathBuf>| {
            let installed = installed.as_ref().map(|lib| lib.join(name));
            [installed, in_place].into_iter().flatten().find(|path| path.exists())
        };
        let plugin = format!("waypoint-plugin-{major}.so");
        let engine = "libwaypoint_engine.a";
        Self {
            plugin: either(&plugin, Some(built.join(&plugin))),
            recorders: either("waypoint-recorders.o", Some(built.join("waypoint-recorders.o"))),
            include: either("include", Some(PathBuf::from(env!("WAYPOINT_INCLUDE")))),
            engine: either(engine, bin.map(|bin| bin.join(engine))),
        }
    }
}
