package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/secret"
)

// allowed is how many false alarms 5,000 lines of ordinary text may cause
// (issue 4).
const allowed = 5

// TestOrdinarySourceRaisesNoAlarm reads Go's own library, as it is installed:
// well over a million lines that somebody wrote for other reasons.
func TestOrdinarySourceRaisesNoAlarm(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	if err != nil {
		t.Skipf("no Go here: %v", err)
	}
	lines, alarms := 0, []string{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == "testdata" {
				return fs.SkipDir // keys and certificates, made to be found
			}
			return err
		}
		if strings.HasSuffix(path, "_test.go") || !d.Type().IsRegular() || filepath.Ext(path) == ".pem" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n, found := alarmsIn(path, string(data))
		lines += n
		alarms = append(alarms, found...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	report(t, lines, alarms)
}

// TestOrdinaryFilesRaiseNoAlarm is about what looks random and opens nothing:
// lock files, digests, identifiers, bundles, pictures.
func TestOrdinaryFilesRaiseNoAlarm(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 1))
	for name, write := range ordinary {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for i := 0; strings.Count(b.String(), "\n") < 5000; i++ {
				for range 100 {
					write(&b, r, i)
				}
			}
			n, found := alarmsIn(name, b.String())
			report(t, n, found)
		})
	}
	for _, name := range []string{"go.sum", "go.mod", "README.md", "CHANGELOG.md", "docs/security.md", "docs/evidence.md"} {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, found := alarmsIn(name, string(data)); len(found) > 0 {
			t.Errorf("alarms in our own %s: %q", name, found)
		}
	}
}

func alarmsIn(name, text string) (lines int, alarms []string) {
	for _, m := range secret.Find(text) {
		alarms = append(alarms, fmt.Sprintf("%s: %s in %.100q", name, m.Kind, text[max(0, m.Start-30):m.End]))
	}
	return strings.Count(text, "\n"), alarms
}

func report(t *testing.T, lines int, alarms []string) {
	t.Helper()
	t.Logf("%d alarms in %d lines", len(alarms), lines)
	if len(alarms) > allowed*max(lines, 5000)/5000 {
		t.Errorf("more than %d in 5,000 lines:\n%s", allowed, strings.Join(alarms[:min(len(alarms), 20)], "\n"))
	}
	if lines < 5000 {
		t.Errorf("only %d lines, want 5,000 at least", lines)
	}
}

func raw(r *rand.Rand, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	return out
}

func digest(r *rand.Rand, n int) string { return hex.EncodeToString(raw(r, n)) }
func b64(r *rand.Rand, n int) string    { return base64.StdEncoding.EncodeToString(raw(r, n)) }

func uuid(r *rand.Rand) string {
	d := digest(r, 16)
	return d[:8] + "-" + d[8:12] + "-" + d[12:16] + "-" + d[16:20] + "-" + d[20:]
}

func oneOf(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

// packages have names that come near to those of secrets.
func packageName(r *rand.Rand) string {
	return oneOf(r, "js-tokens", "left-pad", "@babel/core", "keyv", "cookie", "cookie-signature", "tough-cookie",
		"jsonwebtoken", "object-keys", "password-hash", "sk-icons", "css-tokenize", "secretlint", "token-types", "basic-auth",
		"auth-header", "monkey-patch", "turkey", "passport", "pass-stream", "private", "signale")
}

func version(r *rand.Rand) string {
	return fmt.Sprintf("%d.%d.%d", r.IntN(30), r.IntN(40), r.IntN(90))
}

// ordinary writes a piece of a file of each sort.
var ordinary = map[string]func(b *strings.Builder, r *rand.Rand, i int){
	"package-lock.json": func(b *strings.Builder, r *rand.Rand, _ int) {
		name, v := packageName(r), version(r)
		fmt.Fprintf(b, "    \"node_modules/%s\": {\n      \"version\": %q,\n      \"resolved\": "+
			"\"https://registry.npmjs.org/%s/-/%s-%s.tgz\",\n      \"integrity\": \"sha512-%s\",\n", name, v, name, name, v, b64(r, 64))
		fmt.Fprintf(b, "      \"dependencies\": {\n        %q: \"^%s\",\n        %q: \"~%s\"\n      },\n      \"engines\": { \"node\": \">=%d\" "+
			"}\n    },\n", packageName(r), version(r), packageName(r), version(r), r.IntN(20))
	},
	"yarn.lock": func(b *strings.Builder, r *rand.Rand, _ int) {
		name, v := packageName(r), version(r)
		fmt.Fprintf(b, "%s@^%s:\n  version %q\n  resolved \"https://registry.yarnpkg.com/%s/-/%s-%s.tgz#%s\"\n  integrity sha1-%s\n  "+
			"dependencies:\n    %s \"^%s\"\n\n", name, v, v, name, name, v, digest(r, 20), b64(r, 20), packageName(r), version(r))
	},
	"pnpm-lock.yaml": func(b *strings.Builder, r *rand.Rand, _ int) {
		fmt.Fprintf(b, "  /%s@%s:\n    resolution: {integrity: sha512-%s}\n    engines: {node: '>=%d'}\n    dependencies:\n      %s: %s\n    "+
			"dev: true\n\n", packageName(r), version(r), b64(r, 64), r.IntN(20), packageName(r), version(r))
	},
	"Cargo.lock": func(b *strings.Builder, r *rand.Rand, _ int) {
		fmt.Fprintf(b, "[[package]]\nname = %q\nversion = %q\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = "+
			"%q\ndependencies = [\n \"%s %s\",\n]\n\n", packageName(r), version(r), digest(r, 32), packageName(r), version(r))
	},
	"poetry.lock": func(b *strings.Builder, r *rand.Rand, _ int) {
		fmt.Fprintf(b, "[[package]]\nname = %q\nversion = %q\nfiles = [\n    {file = \"%s-%s-py3-none-any.whl\", hash = "+
			"\"sha256:%s\"},\n]\n\n[metadata]\ncontent-hash = \"%s\"\n", packageName(r), version(r), packageName(r), version(r), digest(r, 32),
			digest(r, 32))
	},
	"go.sum": func(b *strings.Builder, r *rand.Rand, _ int) {
		fmt.Fprintf(b, "example.com/%s v%s h1:%s\nexample.com/%s v0.0.0-20260820222146-%s/go.mod h1:%s\n", packageName(r), version(r),
			b64(r, 32), packageName(r), digest(r, 6), b64(r, 32))
	},
	"Gemfile.lock": func(b *strings.Builder, r *rand.Rand, _ int) {
		fmt.Fprintf(b, "    %s (%s)\n      %s (~> %s)\n  revision: %s\n", packageName(r), version(r), packageName(r), version(r), digest(r, 20))
	},
	"identifiers": func(b *strings.Builder, r *rand.Rand, i int) {
		fmt.Fprintf(b, "%s\n{\"id\": %q, \"key\": %q, \"request_id\": %q}\ncommit %s\nkey: %s\nimage: "+
			"registry.example/app@sha256:%s\ntrace_id=%s span_id=%s\nCache-Key: node-modules-v%d-linux-x64-%s\n",
			uuid(r), uuid(r), uuid(r), uuid(r), digest(r, 20), digest(r, 20), digest(r, 32), digest(r, 16), digest(r, 8), i, digest(r, 32))
	},
	"app.min.js": func(b *strings.Builder, r *rand.Rand, _ int) {
		x, y := oneOf(r, "e", "t", "n", "r"), oneOf(r, "a", "o", "s", "c")
		fmt.Fprintf(b, "!function(%s,%s){var token=%s.token,key=%s.key||null;%s.password=function(){return "+
			"%s.passwordInput.value};if(token===%s.EOF_TOKEN)return "+
			"key=>%s[key];fetch(%s.url,{credentials:\"same-origin\",headers:{authorization:`Bearer ${token}`}})}(window,document);\n", x, y, x, y,
			x, y, x, y, x)
	},
	"pictures": func(b *strings.Builder, r *rand.Rand, _ int) {
		fmt.Fprintf(b, "<img alt=\"key\" src=\"data:image/png;base64,%s\">\n.icon-key { background: url(data:font/woff2;base64,%s); color: #%s "+
			"}\n", b64(r, 600), b64(r, 333), digest(r, 3))
	},
	"mime": func(b *strings.Builder, r *rand.Rand, _ int) { b.WriteString(b64(r, 57) + "\n") },
	"k8s.yaml": func(b *strings.Builder, r *rand.Rand, i int) {
		fmt.Fprintf(b, "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-%d\n  uid: %s\nspec:\n  containers:\n  - image: app:%s\n  "+
			"  env:\n    - name: DB_PASSWORD\n      valueFrom:\n        secretKeyRef:\n          name: db\n          key: password\n    - name: "+
			"API_TOKEN\n      value: $(API_TOKEN)\n  automountServiceAccountToken: false\n  tls:\n  - secretName: app-tls\n---\n", i, uuid(r),
			version(r))
	},
	"ci.yaml": func(b *strings.Builder, r *rand.Rand, _ int) {
		fmt.Fprintf(b, "- uses: actions/checkout@%s\n  with:\n    token: ${{ secrets.GITHUB_TOKEN }}\n    ssh-key: ${{ secrets.DEPLOY_KEY }}\n- "+
			"uses: actions/cache@v4\n  with:\n    key: ${{ runner.os }}-go-${{ hashFiles('**/go.sum') }}\n  env:\n    PASSWORD: ${{ "+
			"secrets.PASSWORD }}\n", digest(r, 20))
	},
	"test output": func(b *strings.Builder, r *rand.Rand, i int) {
		fmt.Fprintf(b, "=== RUN   TestToken/%s\n    --- PASS: TestToken/%s_%d (0.0%ds)\nPASS: TestPassword2\nok  "+
			"\texample.com/auth\t0.%ds\nPWD=/home/bob/src%d\nFirst pass: read 12 files\nSecond pass: write\n", packageName(r), packageName(r), i,
			i%9, i, i)
	},
	"app.ts": func(b *strings.Builder, r *rand.Rand, _ int) {
		b.WriteString(oneOf(r,
			"export interface Login { user: string; password: string; token?: string | null }\n",
			"const token = await getToken({ audience: options.audience, secretName });\n",
			"if (credentials.password !== user.password) throw new AuthError('Wrong password: try again');\n",
			"const res = await fetch(url, { credentials: 'include', headers: { Authorization: `Bearer ${token}` } });\n",
			"  apiKey: process.env.OPENAI_API_KEY,\n",
			"  static readonly TOKEN_KEY = 'auth-token';\n",
			"const ENV_SECRET = 'AWS_SECRET_ACCESS_KEY';\n",
			"this.accessToken = options.accessToken ?? this.storage?.get('accessToken');\n",
			"type Key = keyof typeof keys; // token: the next one\n",
			"expect(screen.getByLabelText('Password:')).toBeVisible();\n",
			"  password: yup.string().required('Password is required').min(8),\n",
			"const hash = createHash('sha256').update(secret).digest('hex');\n"))
	},
	"app.py": func(b *strings.Builder, r *rand.Rand, _ int) {
		b.WriteString(oneOf(r,
			"def login(user: str, password: str, token: Optional[str] = None) -> Session:\n",
			"    password = getpass.getpass('Password: ')\n",
			"    if token == self.eof:\n",
			"    api_key = os.environ['OPENAI_API_KEY']\n",
			"    client = Client(api_key=api_key, password=password, token=self.token)\n",
			"    for token in tokenize(source): print(\"token=\" + repr(token))\n",
			"    secret = secrets.token_urlsafe(32)\n",
			"    parser.add_argument('--password', help='the password', default=None)\n",
			"    return {'token': token, 'key': key, 'signature': sign(key, body)}\n",
			"    nid_key = self._lib.NID_aes_256_cbc\n"))
	},
}
