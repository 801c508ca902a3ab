package names

import "strings"

// hosts are names that people trust without reading them twice.
const hosts = `
amazonaws.com
anthropic.com
apache.org
archlinux.org
bitbucket.org
cloudflare.com
cloudfront.net
crates.io
debian.org
docker.com
docker.io
facebook.com
fedoraproject.org
gitlab.com
github.com
githubusercontent.com
golang.org
google.com
googleapis.com
hashicorp.com
helm.sh
heroku.com
homebrew.sh
huggingface.co
jsdelivr.net
kubernetes.io
linkedin.com
maven.org
microsoft.com
mozilla.org
netlify.com
nodejs.org
npmjs.com
npmjs.org
nuget.org
openai.com
packagist.org
paypal.com
pypi.org
python.org
pythonhosted.org
pytorch.org
rubygems.org
rustup.rs
sourceforge.net
terraform.io
ubuntu.com
unpkg.com
vercel.com
wikimedia.org
wikipedia.org
windows.net
yarnpkg.com
youtube.com
`

func famousHost(name string) bool { return name != "" && strings.Contains(hosts, "\n"+name+"\n") }

// isFamous reports whether a host is one of those, or below one.
func isFamous(host string) bool {
	return famousHost(domain(host))
}

// domain is the last two parts of a name.
func domain(host string) string {
	if i := strings.LastIndexByte(host, '.'); i > 0 {
		return host[strings.LastIndexByte(host[:i], '.')+1:]
	}
	return host
}

// seems returns the famous host that a name imitates: with a wrong letter, or by
// beginning with it.
func seems(host string) string {
	own := domain(host)
	as := fold(own)
	for name := range strings.Lines(hosts[1:]) {
		name = name[:len(name)-1]
		alike := len(own)-len(name) <= 2 && len(name)-len(own) <= 2
		switch word, _, _ := strings.Cut(name, "."); {
		case alike && own != name && as == fold(name), alike && len(word) >= 6 && sameEnd(own, name) && near(own, name):
			return "looks like " + name
		case strings.HasPrefix(host, name) && len(host) > len(name) && begins(host[len(name):]),
			strings.Contains(host, name) && strings.Contains(host, "."+name) && begins(host[strings.Index(host, "."+name)+1+len(name):]):
			return "seems to be " + name + ", and belongs to " + own
		}
	}
	return ""
}

// begins reports whether the text after a famous name makes it another host;
// google.com.au is not.
func begins(rest string) bool {
	return strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, ".") && strings.Count(rest, ".") > 1
}

// sameEnd reports whether two names have the same last part.
func sameEnd(a, b string) bool {
	return a[strings.LastIndexByte(a, '.')+1:] == b[strings.LastIndexByte(b, '.')+1:]
}

// near reports whether one name becomes the other by one letter that is missing,
// too many or another one, or by two that have changed places.
func near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// Short reports whether a host only redirects to others.
func Short(host string) bool {
	switch strings.TrimPrefix(host, "www.") {
	case "bit.ly", "tinyurl.com", "t.co", "goo.gl", "is.gd", "v.gd", "ow.ly", "buff.ly", "rb.gy", "cutt.ly", "shorturl.at", "tiny.cc", "t.ly",
		"git.io", "bl.ink", "rebrand.ly", "s.id", "urlz.fr", "adf.ly", "x.co", "soo.gd", "dub.sh", "shorte.st", "lnkd.in", "qr.ae":
		return true
	}
	return false
}

// Registry reports whether a host is one from which people get code as a matter
// of course.
func Registry(host string) bool {
	if isFamous(host) {
		return true
	}
	switch domain(host) {
	case "astral.sh", "azurecr.io", "azureedge.net", "cgr.dev", "cratesio.com", "ecr.aws", "elastic.co", "lscr.io", "nvcr.io",
		"oracle.com", "suse.com", "ghcr.io", "jitpack.io", "k8s.io", "nvidia.com", "pkg.dev", "quay.io", "redhat.com",
		"sonatype.org", "yarn.pm", "npmjs.help", "hex.pm", "sr.ht", "codeberg.org", "gitlab.io", "github.io", "cert-manager.io",
		"gcr.io", "golang.org", "gopkg.in", "uber.org", "honnef.co", "mvdan.cc", "gotest.tools", "rsc.io", "gorm.io",
		"ariga.io", "entgo.io", "buf.build", "connectrpc.com", "cuelang.org", "fyne.io", "go.dev", "helm.sh", "dagger.io",
		"pytorch.org", "bazel.build", "gnu.org", "kernel.org", "llvm.org", "postgresql.org", "swift.org", "deno.land", "jsr.io",
		"esm.sh", "flathub.org", "npmmirror.com", "goproxy.io", "goproxy.cn":
		return true
	}
	return false
}
