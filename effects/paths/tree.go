package paths

import (
	"path"
	"slices"
	"strings"
)

// System finds the system tree that a path covers or is in, and how much of it:
// /usr/bin is itself a tree, a file in it is part of one.
func (g *Ground) System(p Path) (tree string, extent Extent) {
	if !p.Known() {
		return "", Nothing
	}
	r := reachOf(p)
	for _, tree := range systemTrees {
		if e := r.of(tree); e > Part && !g.own(p, tree) {
			return tree, e
		}
	}
	if at := drive(p.Abs); at != "" {
		if tree, extent := g.System(Path{Text: p.Text, Abs: at, Glob: p.Glob}); extent > Part && !g.own(p, path.Dir(p.Abs)) {
			return tree, extent
		}
	}
	for _, tree := range systemRoots {
		if e := r.of(tree); e == Part && !g.own(p, tree) && !Temp(p) {
			return tree, Part
		}
	}
	return "", Nothing
}

// drive converts a path in WSL or Git Bash to that of Windows: /mnt/c/x and /c/x
// are c:/x. It returns "" for other paths.
func drive(abs string) string {
	rest := strings.TrimPrefix(abs, "/mnt")
	if len(rest) < 3 || rest[0] != '/' || rest[2] != '/' || rest[1]|0x20 != 'c' {
		return ""
	}
	return "c:" + rest[2:]
}

// own reports whether a path is in one of the agent's own directories: a home in
// /root or a project in /srv is not a system tree. A $HOME other than the
// account's does not exempt a system tree.
func (g *Ground) own(p Path, tree string) bool {
	if g.Project != "" && Within(g.Project, tree) && Within(p.Abs, g.Project) {
		return true
	}
	homes := g.Homes()
	if len(homes) == 0 {
		return false
	}
	home := homes[len(homes)-1]
	return Within(home, tree) && Within(p.Abs, home)
}

// systemTrees are the trees that a machine or its people need as a whole.
// Paths of Windows are in lower case.
var systemTrees = [...]string{
	"/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/libx32", "/media", "/mnt", "/nix", "/opt", "/proc", "/root",
	"/run", "/sbin", "/snap",
	"/srv", "/sys", "/tmp", "/usr", "/var", "/boot/efi", "/boot/grub", "/etc/ssh", "/etc/ssl", "/etc/pam.d", "/etc/systemd", "/etc/apt",
	"/etc/sudoers.d", "/etc/cron.d",
	"/etc/init.d", "/etc/kubernetes", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/local", "/usr/local/bin",
	"/usr/local/lib",
	"/usr/local/sbin", "/usr/local/share", "/usr/share", "/usr/include", "/usr/src", "/var/lib", "/var/log", "/var/cache", "/var/spool",
	"/var/mail", "/var/www",
	"/var/backups", "/var/db", "/var/run", "/var/tmp", "/var/lib/docker", "/var/lib/dpkg", "/var/lib/postgresql", "/var/lib/mysql",
	"/var/lib/postgresql/data", "/var/lib/mongodb", "/var/lib/redis", "/var/lib/cassandra", "/var/lib/elasticsearch", "/var/lib/opensearch",
	"/var/lib/etcd", "/var/lib/clickhouse", "/var/lib/influxdb", "/var/lib/neo4j", "/var/lib/rabbitmq", "/var/lib/kafka", "/var/lib/zookeeper",
	"/var/lib/containerd", "/var/lib/kubelet", "/var/lib/rancher", "/var/lib/libvirt", "/var/lib/jenkins", "/var/lib/grafana",
	"/var/lib/prometheus", "/var/opt/mssql",
	"/Applications", "/Library", "/Network",
	"/System", "/Users", "/Volumes", "/cores", "/private", "/private/etc", "/private/tmp", "/private/var", "/opt/homebrew",
	"/System/Library", "/System/Volumes", "/System/Volumes/Data", "/System/Volumes/Data/Users", "c:", "c:/windows",
	"c:/windows/system32", "c:/users", "c:/programdata", "c:/program_files", "c:/program_files_(x86)", "c:/boot",
}

// systemRoots are those in which every part belongs to the system, too.
var systemRoots = [...]string{"/bin", "/boot", "/etc", "/lib", "/lib64", "/sbin", "/sys", "/proc", "/usr", "/var", "/root", "/System",
	"/Library", "c:/windows"}

// HomeOf says how much of the home directory, or of another one, a path is.
func (g *Ground) HomeOf(p Path) Extent {
	homes := g.Homes()
	if !p.Known() || len(homes) == 0 {
		return Nothing
	}
	r, extent := reachOf(p), Nothing
	for _, home := range homes {
		extent = max(extent, r.of(home))
	}
	if extent > Part {
		return extent
	}
	if !r.glob && holdsHomes(path.Dir(r.base)) && !Within(g.Project, r.base) {
		if r.swept {
			return All
		}
		return Itself
	}
	return extent
}

// holdsHomes reports whether a folder is where home directories are.
func holdsHomes(dir string) bool { return dir == "/home" || dir == "/Users" || dir == "c:/users" }

// personal are the folders of a home that hold what a person made, and that no
// program makes again.
var personal = [...]string{"Documents", "Desktop", "Pictures", "Photos", "Music", "Movies", "Videos", "Library", "Dropbox", "OneDrive",
	"iCloud", "Nextcloud", "Google Drive"}

// PersonalOf says how much of a personal folder of the home directory, or of another one, a path is.
func (g *Ground) PersonalOf(p Path) (extent Extent) {
	if !p.Known() || p.Some {
		return Nothing
	}
	r := reachOf(p)
	homes := g.Homes()
	if home := path.Dir(r.base); holdsHomes(path.Dir(home)) {
		homes = append(slices.Clip(homes), home)
	}
	for _, home := range homes {
		for _, name := range personal {
			extent = max(extent, r.of(slashes(home+"/"+name)))
		}
	}
	return extent
}

// ProjectOf returns how much of the project a path covers. A parent of the project
// covers more than all of it.
func (g *Ground) ProjectOf(p Path) Extent {
	if !p.Known() || g.Project == "" {
		return Nothing
	}
	r := reachOf(p)
	return r.of(g.Project)
}

// Repository reports whether the path is the root of a repository, or all of
// one, other than the project.
func (g *Ground) Repository(p Path) bool {
	if !p.Known() {
		return false
	}
	r := reachOf(p)
	if r.glob || r.base == "/" || r.base == g.Project {
		return false
	}
	_, err := g.world.Lstat(r.base + "/.git")
	return err == nil
}

// Temp reports whether the path lies in a directory for temporary files. The
// directory itself does not.
func Temp(p Path) bool {
	for _, dir := range [...]string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "/var/folders",
		"/private/var/folders"} {
		if Below(p.Abs, dir) {
			return true
		}
	}
	return strings.Contains(slashes(p.Abs), "/appdata/local/temp/")
}

// Scratch reports whether a path is disposable: it is in a directory for temporary
// files, and neither in the project nor in the home directory.
func (g *Ground) Scratch(p Path) bool {
	return Temp(p) && !Within(p.Abs, g.Project) && !g.InHome(p.Abs)
}

// Artefact reports whether the path is, or lies in, a directory of the project
// that a build or a package manager makes again.
func (g *Ground) Artefact(p Path) bool {
	if !Below(p.Abs, g.Project) {
		return false
	}
	for name := range strings.SplitSeq(p.Abs[len(g.Project)+1:], "/") {
		if artefact(name) {
			return true
		}
	}
	return false
}

func artefact(name string) bool {
	switch name {
	case "node_modules", "bower_components", "jspm_packages", ".pnpm-store", ".yarn",
		"target", "dist", "build", "out", "bin", "obj", "_build", "deps", "DerivedData", "Pods", "cmake-build-debug", "cmake-build-release",
		".next", ".nuxt", ".svelte-kit", ".astro", ".turbo", ".parcel-cache", ".cache", ".vite", ".angular", ".expo", ".docusaurus",
		"storybook-static", ".output", ".vercel", ".netlify", ".serverless", ".aws-sam",
		"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".venv", "venv", ".eggs", ".ipynb_checkpoints", "htmlcov",
		"coverage", ".nyc_output", ".gradle", ".dart_tool", ".terraform", "tmp", "temp", "logs", "log", ".bundle", ".zig-cache", "zig-out",
		"zig-cache", "elm-stuff", ".stack-work", "dist-newstyle", ".bloop", ".metals", "test-results", "playwright-report":
		return true
	}
	return strings.HasSuffix(name, ".egg-info") || strings.HasSuffix(name, ".xcarchive")
}
