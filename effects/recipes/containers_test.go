package recipes

import (
	"strings"
	"testing"
	"time"
)

// Issue 12, classes: files about containers are read as what they give to these,
// however they are written.
func TestContainers(t *testing.T) {
	up := []string{"up"}
	for _, c := range []struct{ name, text, want string }{
		{"short", "services:\n  a:\n    image: i\n    volumes:\n      - ~/.ssh:/s:ro\n", `docker run -v "$HOME/.ssh":"/s:ro" image  `},
		{"a list in its parent's column", "services:\n  a:\n    volumes:\n    - /:/h # all\n", `docker run -v "/":"/h" image  `},
		{"long",
			"services:\n  a:\n    volumes:\n      - type: bind\n        source: /etc\n        target: /e\n", `docker run -v "/etc":"/e" image  `},
		{"brackets", "services: {a: {privileged: true, volumes: ['/:/h'], command: [rm, -rf, /h]}}",
			`docker run --privileged -v "/":"/h" image  'rm' '-rf' '/h'`},
		{"json", `{"services": {"a": {"volumes": ["/:/h"],` + "\n" + `"pid": "host"}}}`, `docker run --pid=host -v "/":"/h" image  `},
		{"a name for a place",
			"services:\n  a:\n    volumes: [all:/h]\nvolumes:\n  all:\n    driver_opts:\n      device: /\n",
			`docker run -v "/":"/h" image  `},
		{"a secret", "services:\n  a:\n    secrets: [k]\nsecrets:\n  k:\n    file: ~/.ssh/id_rsa\n",
			`docker run -v "$HOME/.ssh/id_rsa":/run/secrets/file image  `},
		{"rights", "services:\n  a:\n    cap_add:\n      - ALL\n    entrypoint: sh -c\n    command: |\n      a\n      b\n",
			`docker run --cap-add='ALL' image sh -c a b  `},
		{"no code",
			"services:\n  a:\n    volumes: ['$(id):/h', './a`b`:/c']\n", "docker run -v \"\\$(id)\":\"/h\" -v \"./a\\`b\\`\":\"/c\" image  "},
		{"ordinary", "services:\n  db:\n    image: postgres\n    volumes: [pg:/var/lib]\nvolumes: {pg: {}}\n", ""},
	} {
		if got := composed(c.text, up); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
		if got := composed(c.text, []string{"down"}); got != "" {
			t.Errorf("%s: %s where nothing is started", c.name, got)
		}
	}
	for _, c := range [][2]string{
		{"kind: Pod\nspec:\n  hostPID: true\n  volumes:\n  - name: h\n    hostPath:\n      path: /\n",
			`kubectl run pod --pid=host --volume="/":/host`},
		{"a: 1\n---\nspec: {containers: [{securityContext: {privileged: true}}]}", "kubectl run pod --privileged"},
		{"spec:\n  securityContext:\n    capabilities:\n      add: [SYS_ADMIN]\n", "kubectl run pod --cap-add='SYS_ADMIN'"},
		{"kind: ClusterRoleBinding\nroleRef: {kind: ClusterRole, name: cluster-admin}\n",
			"kubectl create clusterrolebinding --clusterrole=cluster-admin"},
		{"kind: RoleBinding\nroleRef: {kind: Role, name: reader}\n", ""},
		{"spec:\n  securityContext:\n    privileged: false\n  volumes: [{emptyDir: {}}]\n", ""},
	} {
		if got := manifest(c[0]); got != c[1] {
			t.Errorf("%q: %s, not %s", c[0], got, c[1])
		}
	}
	if got := pods("kind: Pod\nspec:\n  containers:\n  - {name: a, image: b, command: [rm, -rf, /h], " +
		"volumeMounts: [{name: h, mountPath: /h}]}\n" +
		"  volumes:\n  - {name: h, hostPath: {path: ~/x}}\n"); got != `docker run -v "$HOME/x":"/h" image 'rm' '-rf' '/h' ` {
		t.Error(got)
	}
	local := "- hosts: localhost\n  tasks:\n  - ansible.builtin.file:\n      path: ~/x\n      state: absent\n"
	if got := played(local); got != `rm -rf "$HOME/x"` {
		t.Error(got)
	}
	if got := played("- hosts: web\n  tasks:\n  - file: {path: /x, state: absent}\n"); got != `ssh -- 'web' 'rm -rf "/x"'` {
		t.Error("another machine:", got)
	}
}

// Issue 12, bounds: what is made to take long, or is no outline at all, ends.
func TestOutlineEnds(t *testing.T) {
	began := time.Now()
	for _, text := range []string{"[: x]", "{", "[[[", "- - -", "-", "a: {b:}", "a: [", "'", "a: |", "{a: ,b}", "]", ":", ": :",
		strings.Repeat("[", 60_000), strings.Repeat("- ", 60_000), "a: [\n" + strings.Repeat("[\n", 60_000), strings.Repeat("a:\n", 40_000),
		strings.Repeat("{a: ", 30_000)} {
		outline(text).each(func(*entry) {})
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Error(d)
	}
}

// An Earthfile runs on this machine what stands behind LOCALLY, in the same target.
func TestLocally(t *testing.T) {
	for text, want := range map[string]string{
		"x:\n  LOCALLY\n  RUN a b\ny:\n  RUN c\n":   "a b",
		"LOCALLY\nRUN a\n":                          "a",
		"x:\n  LOCALLY\n  RUN --push a \\\n  --b\n": "a    --b",
		"x:\n  FROM alpine\n  RUN a\n":              "",
		"x:\n  LOCALLY\n# note:\n  RUN a\n":         "a",
	} {
		if got := locally(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
