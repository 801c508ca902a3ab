package effects

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/names"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// sources examines where a run gets code from. Code that runs at once is listed as
// Code; this is about code that is stored, installed or applied.
func (r *reading) sources(i int, run *Run) {
	for _, e := range run.Env {
		r.unchecking(e.Name, e.Value.Text, i)
	}
	switch run.Program {
	case "export", "declare", "typeset", "setx":
		for _, w := range run.Args {
			name, value, _ := strings.Cut(w.Text, "=")
			r.unchecking(name, value, i)
		}
		return
	case "git", "npm", "pnpm", "yarn", "conda", "mamba", "pip", "pip3", "go":
		r.settles(i, run)
	case "curl", "wget", "wget2", "curlie", "aria2c", "invoke-webrequest", "iwr":
		r.downloads(i, run)
		return
	}
	r.packageFiles(i, run)
	for _, text := range atOnce(run) {
		if repository(text) {
			r.trap(kept(text), text, "is somebody's repository, and is run without review", i)
		}
	}
	if run.Data || !told(run.Args) {
		return
	}
	how := takes(run)
	if how == "" {
		return
	}
	option, given := "", programs.Parse(run).Given
	for k, w := range run.Args {
		text := w.Text
		if strings.HasPrefix(text, "-") {
			if switchesOff(text, run.Args, k) && !r.installsFiles(i, run) {
				r.trap("unchecked", line(run), "does not check whose code it gets: "+text, i)
			}
			option, text, _ = strings.Cut(text, "=")
		}
		if strings.HasPrefix(text, "-") || text == "" {
			continue
		}
		code := option == "" || alone(option) || optnames.Code(option) || isPackage(text) ||
			slices.ContainsFunc(given, func(g programs.Given) bool { return g.End == k-1 && !g.Has && !g.Unlisted }) // hdiutil attach -quiet URL
		kind := how
		if !code && how == "adopts" { // of a registry for this call, which companies have
			kind = "gets"
		}
		for url := range addresses(text) {
			r.adopted(i, run, url, kind)
		}
		if code && (run.Program == "npx" || run.Program == "bunx" || run.Program == "pnpx" || run.Program == "uvx") {
			return // what follows is for the program that it runs
		}
		option = ""
	}
}

// packageFiles judges the addresses from which packages were fetched that a run
// installs.
func (r *reading) packageFiles(i int, run *Run) {
	for _, c := range r.set.Codes {
		if c.Run != i || c.Language != model.PackageFile {
			continue
		}
		known := false
		for _, n := range r.set.Nets {
			if n.Run != i && n.URL != "" {
				known = true
				r.adopted(i, run, n.URL, "adopts")
			}
		}
		if !known {
			r.trap("stranger", c.File.Text, "was fetched before, and is installed without review", i)
		}
	}
}

// told reports whether there is an address among arguments, or an option that believes
// anybody. Few runs have either, and only these are looked up.
func told(args []Word) bool {
	for k, w := range args {
		if strings.Contains(w.Text, "://") || strings.HasPrefix(w.Text, "-") && switchesOff(w.Text, args, k) {
			return true
		}
	}
	return false
}

// addresses are the URLs in a word: all of it, x @ git+https://…, deb [arch=…] https://….
func addresses(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for field := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`,;|(){}<>", c) }) {
			if at := strings.LastIndex(field, "@git+"); at > 0 {
				field = field[at+1:]
			}
			if at := strings.Index(field, "::"); at > 0 { // git::https://…
				field = field[at+2:]
			}
			if scheme, _, ok := strings.Cut(field, "://"); ok && !strings.ContainsAny(scheme, "=/.:") && !yield(field) {
				return
			}
		}
	}
}

// isPackage reports whether an address is that of a package, and not of a registry.
func isPackage(address string) bool {
	switch path.Ext(address) {
	case ".whl", ".gem", ".nupkg", ".vsix", ".jar", ".tgz", ".deb", ".rpm":
		return strings.Contains(address, "://")
	}
	return false
}

// alone reports whether an option of a package manager takes no value: the word
// after it is a package.
func alone(option string) bool {
	switch strings.TrimLeft(option, "-") {
	case "y", "yes", "g", "global", "D", "S", "E", "O", "P", "save", "save-dev", "save-exact", "save-prod", "save-optional", "dev", "exact",
		"U", "upgrade", "user", "pre", "force", "force-reinstall", "no-deps", "no-cache-dir", "q", "quiet", "v", "verbose", "no-save", "editable",
		"formula", "cask", "HEAD", "build-from-source", "add", "a", "if-not-exists", "n", "non-interactive", "noconfirm":
		return true
	}
	return false
}

// settles judges a setting that makes a program trust anybody from now on.
func (r *reading) settles(i int, run *Run) {
	a := programs.Parse(run)
	if !a.Says("config", "env") {
		return
	}
	for k, w := range run.Args {
		name, value, joined := strings.Cut(w.Text, "=")
		if !joined && k+1 < len(run.Args) {
			value = run.Args[k+1].Text
		}
		if recipes.Unchecks(name, value) {
			r.trap("unchecked", line(run), "switches off the check of whose code is fetched", i)
			return
		}
	}
}

func hostOf(url string) string {
	host, _ := paths.HostOf(url)
	return host
}

// adopted judges an address that code is taken from: of the code itself, if a run
// adopts it, or of a registry that it trusts.
func (r *reading) adopted(i int, run *Run, url, how string) {
	scheme, _, ok := strings.Cut(url, "://")
	host, _ := paths.HostOf(url)
	if !ok || local(host) || host == "" {
		return
	}
	switch {
	case strings.HasSuffix(scheme, "http") && run.Program == "apk" && !names.Raw(host): // apk checks the signatures of packages
	case strings.HasSuffix(scheme, "http") && names.Registry(host) && signed(run): // so does apt
	case strings.HasSuffix(scheme, "http"):
		r.trap("unchecked", url, "comes without encryption, so that anybody on the way can exchange it", i)
	case names.Raw(host):
		r.trap("unchecked", url, "is an address without a name, and nobody vouches for it", i)
	case names.Short(host):
		r.trap("foreign", url, "hides where it leads", i)
	case how == "adopts" && (!names.Registry(host) || run.Program == "kubectl"):
		r.trap(kept(url), url, "is used without review", i)
	case how == "trusts" && !names.Registry(host):
		r.trap("foreign", url, "is where packages come from now, and no registry that is known", i)
	}
}

// signed reports whether a run adds a source of apt, and leaves its signatures to
// be checked.
func signed(run *Run) bool {
	return (run.Program == "add-apt-repository" || run.Program == "apt-add-repository") &&
		!slices.ContainsFunc(run.Args, func(w Word) bool { return !w.Known || strings.Contains(w.Text, "=yes") })
}

// kept returns the trap for code from an address: foreign if the host is a usual
// place to get code from, and stranger otherwise.
func kept(url string) string {
	_, place, ok := strings.Cut(url, "://")
	if host, _, path := strings.Cut(url, "/"); !ok && path && strings.Contains(host, ".") && !strings.Contains(host, ":") {
		place, ok = url, true // go run host/module@latest
	}
	if host, _ := paths.HostOf("https://" + place); ok && host != "" && !names.Registry(host) && !local(host) {
		return "stranger"
	}
	return "foreign"
}

// downloads judges what a run fetches into a file.
func (r *reading) downloads(i int, run *Run) {
	insecure := ""
	for _, w := range run.Args {
		switch t := w.Text; {
		case t == "--insecure", t == "--no-check-certificate", t == "--check-certificate=false", strings.EqualFold(t, "-SkipCertificateCheck"),
			strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && run.Program == "curl" && cluster(t, 'k'):
			insecure = t
		}
	}
	if !r.keeps(i) {
		return
	}
	for k := range r.set.Nets {
		n := &r.set.Nets[k]
		if n.Run != i || n.Sends || local(n.Host) {
			continue
		}
		switch {
		case insecure != "":
			r.trap("unchecked", n.URL, "is kept without a check of who sent it: "+insecure, i)
		case names.Raw(n.Host):
			r.trap("unchecked", n.URL, "is an address without a name, and nobody vouches for it", i)
		case strings.HasPrefix(n.URL, "http://") && runnable(n.URL):
			r.trap("unchecked", n.URL, "comes without encryption, so that anybody on the way can exchange it", i)
		case names.Short(n.Host):
			r.trap("foreign", n.URL, "hides where it leads", i)
		}
	}
}

// cluster reports whether an option of combined letters contains this one, before
// any that takes the rest as its value.
func cluster(option string, letter rune) bool {
	for _, c := range option[1:] {
		if c == letter {
			return true
		}
		if strings.ContainsRune("dHXouAebFTmxwKyYzEcCDPQrtU", c) {
			return false
		}
	}
	return false
}

// keeps reports whether a run stores what it fetches in a file.
func (r *reading) keeps(run int) bool {
	for i := range r.set.Files {
		if f := &r.set.Files[i]; f.Op == Write && (f.Run == run || f.Run >= 0 && r.set.Runs[f.Run].From == run) {
			return true
		}
	}
	return false
}

// runnable reports whether a URL names something executable.
func runnable(url string) bool {
	url, _, _ = strings.Cut(url, "?")
	switch url[strings.LastIndexByte(url, '.')+1:] {
	case "sh", "bash", "py", "rb", "pl", "js", "ps1", "exe", "msi", "deb", "rpm", "apk", "pkg", "dmg", "run", "jar", "whl", "bin", "AppImage":
		return true
	}
	return false
}

// installsFiles reports whether a manager of the system's packages is given nothing but
// files of packages that this call does not fetch: there is no signature to check.
func (r *reading) installsFiles(i int, run *Run) bool {
	switch run.Program {
	case "dnf", "yum", "microdnf", "zypper", "rpm", "apk":
	default:
		return false
	}
	for k := range r.set.Nets {
		if r.set.Nets[k].Run != i {
			return false
		}
	}
	files := 0
	for _, w := range run.Args {
		switch text := w.Text; {
		case strings.HasPrefix(text, "-"), text == "install", text == "localinstall", text == "add", text == "in":
		case strings.HasSuffix(text, ".rpm") && !strings.Contains(text, ":"), strings.HasSuffix(text, ".apk") && !strings.Contains(text, ":"):
			files++
		default:
			return false
		}
	}
	return files > 0
}

// switchesOff reports whether an option makes a package manager believe anybody.
func switchesOff(option string, args []Word, at int) bool {
	name, value, joined := strings.Cut(option, "=")
	if !joined && at+1 < len(args) {
		value = args[at+1].Text
	}
	switch name {
	case "--trusted-host", "--allow-unauthenticated", "--force-yes", "--nogpgcheck", "--no-gpg-checks", "--allow-downgrades-unsigned",
		"--no-check-certificate", "--insecure", "--insecure-skip-tls-verify", "--disable-content-trust", "--insecure-registry", "-insecure",
		"--allow-untrusted", "--no-verify-ssl", "--skip-verify", "--no-gpg-check", "--nosignature", "--dangerous", "--no-gpg-verify",
		"--ignore-checksums", "--allow-empty-checksums", "-SkipPublisherCheck", "--grant-all-permissions":
		return value != "false"
	case "--strict-ssl":
		return value == "false"
	case "--tls-verify":
		return value == "false"
	case "-c", "--config":
		return strings.EqualFold(value, "http.sslVerify=false") || strings.EqualFold(value, "http.sslVerify=0")
	}
	return name == "--no-strict-ssl"
}

// unchecking judges a variable that makes programs trust anybody.
func (r *reading) unchecking(name, value string, run int) {
	on := value != "" && value != "0" && !strings.EqualFold(value, "false")
	switch name {
	case "NODE_TLS_REJECT_UNAUTHORIZED", "PYTHONHTTPSVERIFY", "GIT_SSL_VERIFY":
		on = value == "0"
	case "npm_config_strict_ssl", "NPM_CONFIG_STRICT_SSL", "YARN_STRICT_SSL":
		on = value == "false"
	case "GIT_SSL_NO_VERIFY", "PIP_TRUSTED_HOST", "GOINSECURE", "UV_INSECURE_HOST":
	case "GOSUMDB":
		on = value == "off"
	case "GONOSUMDB", "GONOSUMCHECK":
		on = value == "*" || value == "1"
	default:
		if sourceVariable(name) {
			for url := range strings.FieldsFuncSeq(value, func(c rune) bool { return strings.ContainsRune(" ,|;", c) }) {
				r.adopted(run, &r.set.Runs[run], url, "gets")
			}
		}
		return
	}
	if on {
		r.trap("unchecked", name+"="+value, "switches off the check of whose code is fetched", run)
	}
}

// sourceVariable reports whether a variable says where a package manager gets
// packages from: PIP_INDEX_URL, npm_config_registry, GOPROXY, BUNDLE_MIRROR__ALL.
func sourceVariable(name string) bool {
	name = strings.ToUpper(name)
	switch name {
	case "GOPROXY", "PIP_FIND_LINKS", "UV_INDEX", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "HOMEBREW_BOTTLE_DOMAIN", "RUSTUP_DIST_SERVER",
		"RUSTUP_UPDATE_ROOT", "CPAN_MIRROR", "PERL_CPANM_OPT", "HEX_MIRROR", "JULIA_PKG_SERVER", "NVM_NODEJS_ORG_MIRROR", "CONDA_CHANNELS":
		return true
	}
	return strings.HasSuffix(name, "INDEX_URL") || strings.HasPrefix(name, "NPM_CONFIG_") && strings.HasSuffix(name, "REGISTRY") ||
		strings.HasSuffix(name, "_REGISTRY_SERVER") || strings.HasPrefix(name, "YARN_") && strings.HasSuffix(name, "REGISTRY") ||
		strings.HasPrefix(name, "BUNDLE_MIRROR__") || strings.HasPrefix(name, "CARGO_REGISTRIES_") && strings.HasSuffix(name, "_INDEX")
}

// line returns a run as a command line, shortened for a message.
func line(run *Run) string {
	text := run.Program
	for _, w := range run.Args {
		if len(text) > 100 {
			break
		}
		text += " " + w.Text
	}
	return text
}

func local(host string) bool { return recipes.Nearby(host) }
