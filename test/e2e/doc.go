// Package e2e proves Trammel against the real agents: the released program,
// headless, on loopback, with a scripted stand-in for its model, and with
// trammel-hook built from this repository between the two.
//
// What counts is what happened, not what we printed: marker files on disk,
// what the model was told, and the evidence. So every test here starts real
// programs, and everything is behind a build tag:
//
//	go test -tags e2e -v ./e2e/...
//
// An agent that is missing is installed from npm, in the pinned version, into
// $HOME/.cache/trammel-e2e (or $TRAMMEL_E2E_CACHE). As root on Linux
// all tests run in a network namespace that has only loopback. What cannot run
// here is skipped with its reason; TRAMMEL_E2E_REQUIRE=1 makes a skip a
// failure, for a machine that is meant to run everything.
//
// What a host can do, and where it is known to let a call through, is in one
// table, profiles. A known gap is not skipped: its test expects the call to run,
// and fails once the gap is closed. The wiring is made by trammel init as soon
// as the trammel under test has that verb, and until then by the tests.
//
// TRAMMEL_E2E_REPORT names a file (a relative path counts from the repository)
// for the results, one line of JSON each: host, version, scenario, result
// (pass, fail, skip, gap), cause of a gap, and seconds.
//
// To add a host: a file host_<name>_test.go that implements host, a line in
// hosts and in profiles, and, if it speaks another protocol to its model, a
// file in model.
package e2e
