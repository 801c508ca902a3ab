package shellguard

// code names a kind of finding.
type code string

// severities, from the one that nobody is told of to the worst.
const (
	info     = "info"
	warning  = "warning"
	failure  = "error"
	critical = "critical"
)

// entry is what there is to say about a code. What to do instead must itself
// pass the guard; a test runs every command in it.
type entry struct {
	code     code
	severity string
	why      string // completes "<target>: …"
	instead  string
}

// find looks a code up.
func find(c code) (entry, bool) {
	for i := range entries {
		if entries[i].code == c {
			return entries[i], true
		}
	}
	return entry{}, false
}

// entries are all codes there are, worst first.
var entries = [...]entry{
	{"destroys_system_tree", critical, "this removes or disables a tree that the machine needs",
		"Name the one file or folder that is meant, below the project or a temporary directory."},
	{"destroys_home", critical, "this removes or disables a whole home directory",
		"Name the one file or folder that is meant, in the project."},
	{"destroys_project", critical, "this removes the whole project, with everything that is not committed",
		"Remove what is not needed by name, as in `rm -rf build`."},
	{"destroys_repository", critical, "this removes another repository, with everything that was never pushed",
		"Ask the person to remove it."},
	{"destroys_git_data", critical, "this removes or overwrites what git keeps: commits, branches, the log to recover them",
		"Let git change its own data: `git status` says what is wrong, `git fsck` finds damage."},
	{"destroys_credentials", critical, "this removes keys or credentials that may exist nowhere else", "Ask the person to remove them."},
	{"raw_device", critical, "this writes to a raw device or to the kernel", "Work on an image file: `truncate -s 64M disk.img`."},
	{"storage_destroy", critical, "this removes a volume, a pool or a file system",
		"Show what is there with `lsblk`, and ask the person to remove it."},
	{"fork_bomb", critical, "this starts processes without end", "Start a bounded number of jobs, and `wait` for them."},
	{"reverse_shell", critical, "this gives a shell on this machine to somebody on the network",
		"Ask the person; there is no safe form of it."},
	{"exfiltration", critical, "this sends secrets to another host", "Send only what the task needs, from files without credentials."},
	{"remote_code", failure, "this runs code that comes straight from the network and that nobody has read",
		"Download it to a file, read it, and ask the person to run it: `curl -fsSLo install.sh https://example.com/install.sh && less " +
			"install.sh`."},
	{"git_discards_work", failure, "this throws uncommitted work away",
		"Keep it first: `git stash push --include-untracked`, or look at `git status` and restore single files."},
	{"git_drops_stash", failure, "this throws stashed work away",
		"Look at it first: `git stash list`, `git stash show -p`; `git stash pop` takes it back."},
	{"git_force_push", failure, "this overwrites what others have pushed",
		"`git push --force-with-lease` refuses where somebody else has pushed in the meantime."},
	{"git_rewrites_history", failure, "this rewrites all commits of the repository", "Work on a fresh clone, or ask the person to run it."},
	{"git_recovery_lost", failure, "this removes what lost work could be recovered from", "`git gc` keeps what may still be needed."},
	{"git_protected_branch", failure, "this deletes a protected branch", "Ask the person to delete it."},
	{"hooks_disabled", failure, "this goes around the checks that the repository's hooks make",
		"Let them run, and fix what they find: `git commit -m 'what and why'`."},
	{"signing_disabled", failure, "this switches the signing of commits off",
		"Commit as configured; if the key is not there, ask the person."},
	{"database_destroy", failure, "this removes data from a database without a condition",
		"Say which rows with WHERE, inside a transaction, after a backup; or ask the person to run it."},
	{"container_destroy", failure, "this removes volumes or everything that is not running",
		"Remove what is meant by name: `docker rm old-container`, `docker image rm old-image`."},
	{"container_escape", failure, "this gives a container the rights of the machine",
		"Mount only the folder that is needed: `docker run --rm -v ./data:/data alpine ls /data`."},
	{"cluster_destroy", failure, "this removes workloads or data from a cluster",
		"Show what would go with `kubectl delete --dry-run=client -f app.yaml`, and ask the person to run it."},
	{"infrastructure_destroy", failure, "this destroys infrastructure",
		"Show what would go with `terraform plan -destroy`, and ask the person to run it."},
	{"cloud_destroy", failure, "this deletes resources in the cloud or on a hosted service",
		"List what is there, and ask the person to delete it."},
	{"kills_session", failure, "this ends the agent's own session, or every process of the user",
		"End one process by its id, as in `kill 12345`."},
	{"stops_machine", failure, "this stops or restarts the machine", "Ask the person to do it."},
	{"changes_accounts", failure, "this changes accounts, passwords or who may become root", "Ask the person to do it."},
	{"permissions_escalate", failure, "this lets a program run with the rights of another user",
		"Run the one command that needs them with the person's consent."},
	{"security_disabled", failure, "this switches a protection of the machine off",
		"Ask the person; a rule for one port or program is enough in most cases."},
	{"persistence", failure, "this makes something run, or lets somebody in, after the session has ended", "Ask the person to install it."},
	{"covers_tracks", failure, "this removes the record of what was done", "Leave logs and history as they are."},
	{"cloud_metadata", failure, "this asks the cloud's metadata service, which hands out credentials",
		"Use the credentials that the environment is configured with."},
	{"too_complex", failure, "this is nested too deeply, or too long, to be understood", "Write it into a script file in simple steps."},

	{"privilege", warning, "this runs with the rights of another user",
		"Do without, in the project: `npm install`, `pip install --user`, a container."},
	{"system_file", warning, "this changes a file of the system", "Change the project's own files."},
	{"deletes_outside", warning, "this removes a folder outside the project", "Work in the project or in a temporary directory."},
	{"deletes_unknown", warning, "this removes a folder whose name only the running shell knows", "Write the name out."},
	{"moves_tree", warning, "this moves a whole tree away", "Copy it, as in `cp -r src /tmp/src-backup`."},
	{"git_may_discard", warning, "this may throw uncommitted changes away", "`git stash push` keeps them."},
	{"git_drops_branch", warning, "this deletes or moves a branch whose commits may be nowhere else",
		"`git branch -d` deletes only what is merged."},
	{"git_deletes_remote", warning, "this deletes a branch or a tag on the remote", "Ask the person to delete it."},
	{"git_filters_history", warning, "this rewrites commits", "Work on a fresh clone."},
	{"git_prunes", warning, "this removes references or objects that may be needed to recover work",
		"`git gc` keeps what may still be needed."},
	{"hooks_removed", warning, "this removes or changes git hooks", "Leave the repository's hooks as they are."},
	{"permissions_wide", warning, "this lets everybody on the machine write", "Give the owner what is needed: `chmod u+rwX file`."},
	{"permissions_tree", warning, "this changes the permissions or the owner of a whole tree", "Name the files that are meant."},
	{"database_reset", warning, "this drops and makes a database again", "Use a database of your own, and say which one it is."},
	{"container_remove", warning, "this removes containers, images or networks that are not in use at the moment",
		"Remove what is meant by name: `docker rm old-container`."},
	{"cluster_change", warning, "this stops or replaces workloads of a cluster", "Ask the person to do it."},
	{"infrastructure_change", warning, "this changes infrastructure without showing the plan first",
		"`terraform plan -out=plan.out` shows what would change."},
	{"cloud_change", warning, "this removes something from the cloud or from a hosted service", "List what is there first."},
	{"publishes", warning, "this publishes something that others will use, and that cannot be taken back",
		"Try it first: `npm publish --dry-run`."},
	{"service_stop", warning, "this stops or disables a service of the machine", "`systemctl status` says how it is."},
	{"kills_many", warning, "this ends all programs of a name, maybe the agent itself", "End one process by its id, as in `kill 12345`."},
	{"shell_startup", warning, "this changes what every new shell runs", "Set the variable for the one command: `PATH=$PWD/bin:$PATH make`."},
	{"injects_library", warning, "this loads a library into every program it runs", "Run the program without it."},
	{"raw_socket", warning, "this opens a connection from the shell itself", "`curl -sS http://localhost:8080/health` asks a server."},

	{"unknown_program", info, "which program runs is known only to the running shell", ""},
	{"unknown_code", info, "what is executed as code cannot be seen", ""},
	{"unknown_argument", info, "arguments are known only to the running shell", ""},
	{"unknown_path", info, "a path is known only to the running shell", ""},
	{"unknown_stdin", info, "what is read from standard input cannot be seen", ""},
	{"unknown_syntax", info, "the command cannot be parsed", ""},
}
