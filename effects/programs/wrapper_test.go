package programs

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
)

// of makes a run of a line whose words have no quotes.
func of(line string) *model.Run {
	fields := strings.Fields(line)
	return &model.Run{Program: fields[0], Args: words(fields[1:]...), From: -1}
}

// TestInteractive proves what opens something that takes commands of its own. What
// a container is told to run is a run of its own, and judged as such.
func TestInteractive(t *testing.T) {
	for line, want := range map[string]bool{
		"bash": true, "sh -i": true, "bash -l": true, "python3": true, "python3 -i x.py": true, "node": true, "ssh host": true,
		"psql prod": true, "docker run --rm -ti alpine": true, "docker exec -it web": true, "vim x": true, "su": true, "irb": true,
		"docker exec -it web bash": false, "kubectl exec -it pod -- sh": false, "gdb": true, "sqlite3 x.db": true,
		"bash -c ls": false, "bash script.sh": false, "python3 x.py": false, "python3 -c print(1)": false, "python -m pytest": false,
		"node app.js": false, "node --version": false, "ssh host uptime": false, "psql -c select": false, "docker exec web ls": false,
		"docker build -t x .": false, "ls": false, "echo bash": false, "git commit -m bash": false, "su -c id": false, "docker ps": false,
		"kubectl get pods": false, "sqlite3 x.db .tables": false, "node --test": false, "deno -V": false, "perl -i -pe s/a/b/ x": false,
		"ruby -i -pe x y": false, "nvim -l x.lua": false, "docker run --rm -t alpine ls": false, "docker run -it alpine make": false,
		"perl": true, "php -i": false, "php -m": false, "php -i -a": true, "php": true, "python -m pip install -i https://x y": false,
		"python x.py -i": false, "python -i -m x": true, "python -m build -Csetup-args=-Dopt=1": false, "kubectl run x --image=y -i": true,
		"duckdb": true, "duckdb -cmd x": true, "duckdb -c x": false,
	} {
		if got := Interactive(of(line)); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// TestWraps proves what stands behind the options of a wrapper.
func TestWraps(t *testing.T) {
	for line, want := range map[string]string{
		"sudo -u root -E rm -rf x":                    "rm -rf x",
		"sudo -iu bob rm x":                           "rm x",
		"sudo A=1 -n ls":                              "ls",
		"env - PATH=/x sh":                            "sh",
		"env -i A=1 B=2 make -j":                      "make -j",
		"timeout -k 5 10 git push":                    "git push",
		"nice -5 ls -l":                               "ls -l",
		"strace -f -o log ls":                         "ls",
		"docker run --rm -v /a:/b -e X=1 img ls /":    "ls /",
		"docker run --rm --entrypoint=bash img -c ls": "bash -c ls",
		"docker --context x compose exec db psql":     "psql",
		"npm exec -- tsc -p .":                        "tsc -p .",
		"poetry run pytest -q":                        "pytest -q",
		"uvx --from x ruff check":                     "ruff check",
		"flock -w 5 /lock rm x":                       "rm x",
		"npm install x":                               "none",
		"git status":                                  "none",
		"ls -l":                                       "none",
	} {
		run := of(line)
		row, _ := Lookup(run.Program)
		got := "none"
		if w, ok := row.Wraps(run.Args); ok {
			var texts []string
			for _, word := range w.Words {
				texts = append(texts, word.Text)
			}
			got = strings.Join(texts, " ")
		}
		if got != want {
			t.Errorf("%s runs %q, want %q", line, got, want)
		}
	}
}

// TestClass proves the class of runs, one example each way for the patterns
// (program-knowledge: help counts only where the parser sees an option).
func TestClass(t *testing.T) {
	for line, want := range map[string]string{
		"kubectl delete ns prod":                        "cluster destroy",
		"kubectl delete pod x":                          "cluster change",
		"kubectl delete pods --all":                     "cluster destroy",
		"kubectl -n prod get pods":                      "cluster look",
		"kubectl scale deploy x --replicas=0":           "cluster change",
		"kubectl scale deploy x --replicas=3":           "cluster ",
		"kubectl delete ns prod --dry-run=client":       "cluster ",
		"kubectl delete ns prod --dry-run=none":         "cluster destroy",
		"kubectl delete ns -n --help":                   "cluster destroy",
		"helm uninstall x":                              "cluster destroy",
		"helm uninstall x --version 1.2":                "cluster destroy",
		"helm uninstall x --help":                       "cluster ",
		"aws s3 rm s3://b --recursive":                  "cloud destroy",
		"aws s3 rm s3://b/k":                            "cloud change",
		"aws ec2 terminate-instances --instance-ids i":  "cloud destroy",
		"aws ec2 describe-instances":                    "cloud ",
		"aws sqs delete-message --queue-url q":          "cloud change",
		"gcloud compute instances delete x":             "cloud destroy",
		"heroku pg:reset":                               "cloud destroy",
		"gh repo delete o/r":                            "cloud destroy",
		"gh api -X DELETE /x":                           "cloud destroy",
		"gh api -X GET /x":                              "cloud ",
		"gh pr list":                                    "cloud look",
		"terraform apply -destroy":                      "infrastructure destroy",
		"terraform apply -auto-approve":                 "infrastructure change",
		"terraform plan":                                "infrastructure ",
		"terraform show":                                "infrastructure look",
		"pulumi up --yes":                               "infrastructure change",
		"docker volume rm x":                            "container destroy",
		"docker compose down -v":                        "container destroy",
		"docker compose down":                           "container ",
		"docker image prune":                            "container look",
		"docker image prune -fa":                        "container change",
		"docker ps -a":                                  "container look",
		"npm publish":                                   "registry publish",
		"npm publish --dry-run":                         "registry ",
		"npm ls":                                        "registry look",
		"cargo yank x":                                  "registry destroy",
		"pnpm prisma migrate reset --force":             "database destroy",
		"yarn exec prisma migrate reset":                "database reset",
		"prisma migrate deploy":                         "database ",
		"rails db:drop":                                 "database reset",
		"python manage.py flush --no-input":             "database destroy",
		"python manage.py migrate":                      "database ",
		"iptables -F":                                   "security destroy",
		"iptables -A INPUT -j ACCEPT":                   "security change",
		"set-mppreference -DisableRealtimeMonitoring x": "security destroy",
		"visudo -c":                                     "accounts look",
		"useradd bob":                                   "accounts change",
		"date -s 10:00":                                 "kernel change",
		"date +%F":                                      "kernel look",
		"zz-unknown delete":                             " ",
	} {
		area, class := ClassOf(of(line))
		if got := area + " " + string(class); got != want {
			t.Errorf("%s is %q, want %q", line, got, want)
		}
	}
}

// TestReveals proves which runs print secrets, and TestFetches which talk to a
// registry.
func TestReveals(t *testing.T) {
	for line, want := range map[string]bool{
		"gh auth token": true, "gh auth status": false, "gh auth status --show-token": true, "kubectl get secret x -o yaml": true,
		"kubectl get pods": false, "vault kv get x": true, "vault status": false, "pass show x": true, "ls": false,
		"security find-generic-password -w": true, "az account get-access-token": true, "gpg --export-secret-keys": true, "gpg -d x": false,
		"zz-vault secret get db": true, "zz-vault secrets list": false, "zz-cloud database get-connection-token": true, "zz read token": true,
		"zz-vault export x": true, "zz-vault status": false,
		"zz env list --show-secrets": true, "kubectl get cm,secret -o yaml": true, "kubectl get secrets": false,
		"git config --get http.extraheader": true, "git config http.extraheader x": false, "gh secret set x": false,
	} {
		if got := Reveals(of(line)); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

func TestFetches(t *testing.T) {
	for line, want := range map[string]string{
		"npm install x": "registry.npmjs.org", "npm run build": "", "yarn": "registry.npmjs.org", "pip3 install x": "pypi.org",
		"go get x": "proxy.golang.org", "go build": "", "npx x": "registry.npmjs.org", "cargo build": "", "cargo add x": "index.crates.io",
		"docker pull x": "registry-1.docker.io", "docker ps": "", "mvn test": "repo.maven.apache.org", "ls": "",
	} {
		host, ok := Fetches(of(line))
		if !ok {
			host = ""
		}
		if host != want {
			t.Errorf("%s: %q, want %q", line, host, want)
		}
	}
}

// TestInstead proves that a reader is told what to try first, with the program
// that was meant.
func TestInstead(t *testing.T) {
	for line, want := range map[string]string{"tofu destroy": "tofu plan", "oc delete ns x": "oc diff -f FILE", "ls": ""} {
		if got := Instead(of(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestOnlyReads proves what changes nothing but what its effects say.
func TestOnlyReads(t *testing.T) {
	for line, want := range map[string]bool{
		"ls -la": true, "git status": true, "git commit -m x": false, "git branch": true, "git branch -D x": false, "git branch --list x": true,
		"git -c core.pager=x log": false, "git diff --output=x": false, "git stash list": true, "git stash": false, "git tag v1": false,
		"rm x": false, "sudo ls": true, "ssh host ls": false, "python3 -c pass": true, "python3 x.py": false, "perl -ne print": true,
		"tar -tf x": true, "tar xf x": false, "unzip -l x": true, "unzip x": false, "npm ls": true, "npm install": false, "curl http://x": true,
		"crontab -l": true, "crontab x": false, "find . -delete": true, "sort $X": false, "zz-unknown": false, "date -s x": false,
	} {
		run := of(line)
		for i := range run.Args {
			run.Args[i].Known = !strings.HasPrefix(run.Args[i].Text, "$")
		}
		if got := OnlyReads(run); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// TestDumps proves which runs print what may have secrets among it, and which give
// secrets to what they start.
func TestDumps(t *testing.T) {
	for line, want := range map[string]bool{"docker inspect api": true, "docker ps": false, "systemctl show-environment": true,
		"systemctl status": false, "xclip -o": true, "xclip -i": false} {
		if got := Dumps(of(line)); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
	for line, want := range map[string]bool{"op run -- env": true, "op read x": false, "envchain aws env": true, "sudo env": false} {
		if got := Injects(of(line)); got != want {
			t.Errorf("%s injects: %v, want %v", line, got, want)
		}
	}
}
