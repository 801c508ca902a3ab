package hostname

import "testing"

func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"1.2.3.4": "1.2.3.4", "16909060": "1.2.3.4", "0x01020304": "1.2.3.4", "0X1.0x2.3.4": "1.2.3.4", "01.02.03.04": "1.2.3.4",
		"1.2.772": "1.2.3.4", "1.131844": "1.2.3.4",
		"0": "0.0.0.0", "127.1": "127.0.0.1", "0x": "0.0.0.0", "4294967295": "255.255.255.255",
		"::1": "::1", "[::1]": "::1", "::": "::", "fe80::1%eth0": "fe80::1",
		"2001:db8::2:1":  "2001:db8::2:1",
		"::ffff:1.2.3.4": "1.2.3.4", "::ffff:102:304": "1.2.3.4", "::1.2.3.4": "1.2.3.4", "64:ff9b::1.2.3.4": "1.2.3.4",
		"2002:102:304::1": "1.2.3.4", "1002:102:304::1": "1002:102:304::1", "64:f09b::1": "64:f09b::1",
		"64:ff9c::1": "64:ff9c::1", "::1.0.0.0": "1.0.0.0", "::0.1.0.0": "0.1.0.0", "::0.0.1.0": "0.0.1.0",
		"1:2:3:4:5:6:7:8": "1:2:3:4:5:6:7:8", "1:0:3::": "1:0:3::", "1:0:0:4:0:0:0:8": "1:0:0:4::8", "0:2::": "0:2::",
		"::3:0:5:6:7:8": "::3:0:5:6:7:8",
	} {
		if a, ok := ParseAddress(text); !ok || a.String() != want {
			t.Errorf("%s: got %s %v, want %s", text, a, ok, want)
		}
	}
	for _, text := range []string{"", "a", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "08.1.1.1", "4294967296", "1..2", "1_0.1.1.1",
		"-1", ":::",
		"1::2::3", "1:2:3:4:5:6:7:8:9", "1:2", "::g", "12345::", "+1.1.1.1", "::1.2.3.999", "1:2:3:4:5:6:7::8:9", "256.1"} {
		if a, ok := ParseAddress(text); ok {
			t.Errorf("%q is taken for %s", text, a)
		}
	}
}

// A host is what it is in every spelling (issue 12, "names that deceive").
func TestHosts(t *testing.T) {
	for host, want := range map[string]string{"EXAMPLE.com.": "example.com", "ｅxample。com": "example.com",
		"[0:0:0:0:0:ffff:a9fe:a9fe]": "169.254.169.254",
		"①⑥⑨.254.169.254":            "169.254.169.254", "𝟏𝟐𝟕.0.0.¹": "127.0.0.1", "⓪x7f000001": "127.0.0.1", "0177.0.0.01": "127.0.0.1",
		"a-b": "a-b", "₁₀.1": "10.0.0.1", "": ""} {
		if got := Plain(host); got != want {
			t.Errorf("%s: got %s, want %s", host, got, want)
		}
	}
	for _, host := range []string{"localhost", "LOCALHOST", "localhost.", "127.1", "2130706433", "[::1]", "0:0:0:0:0:0:0:1",
		"::ffff:127.0.0.1", "0", "0.0.0.0",
		"x.localhost", "host.docker.internal"} {
		if !Local(host) {
			t.Error(host, "is this machine")
		}
	}
	for _, host := range []string{"", "localhost.example.com", "127.0.0.1.nip.io", "128.0.0.1", "::2", "127.0.0.1.example.com"} {
		if Local(host) {
			t.Error(host, "is another machine")
		}
	}
	for _, host := range []string{"169.254.169.254", "0xa9.0xfe.0xa9.0xfe", "169.254.43518", "025177524776",
		"[0:0:0:0:0:ffff:a9fe:a9fe]", "64:ff9b::a9fe:a9fe",
		"fd00:ec2:0:0:0:0:0:254", "Metadata.Google.Internal.", "0x646464c8", "169.254.169.254.nip.io", "a9fea9fe.nip.io",
		"x-169-254-169-254.sslip.io"} {
		if !Metadata(host) {
			t.Error(host, "gives credentials")
		}
	}
	for _, host := range []string{"", "169.254.1.1", "example.com", "metadata.example.com", "10.0.0.1.nip.io"} {
		if Metadata(host) {
			t.Error(host, "gives no credentials")
		}
	}
}

func TestNetworks(t *testing.T) {
	for _, c := range []struct {
		network, address string
		in               bool
	}{{"10.0.0.0/8", "10.255.1.1", true}, {"10.0.0.0/8", "11.0.0.1", false}, {"10.0.0.0/8", "0x0a000001", true},
		{"192.168.1.128/25", "192.168.1.127", false},
		{"192.168.1.128/25", "192.168.1.128", true}, {"0.0.0.0/0", "1.2.3.4", true}, {"0.0.0.0/0", "fd00::1", false}, {"fd00::/8",
			"fdab::1", true},
		{"fd00::/8", "fe80::1", false}, {"1.2.3.4/32", "1.2.3.4", true}, {"::ffff:1.2.3.0/120", "1.2.3.9", true}} {
		n, ok := ParseNetwork(c.network)
		a, good := ParseAddress(c.address)
		if !ok || !good || n.Has(a) != c.in {
			t.Errorf("%s in %s: got %v (%v, %v)", c.address, c.network, n.Has(a), ok, good)
		}
	}
	for _, text := range []string{"", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "/8", "example.com/8", "fd00::/129",
		"10.0.0.0/8/8"} {
		if _, ok := ParseNetwork(text); ok {
			t.Errorf("%q is taken for a network", text)
		}
	}
}

// Whatever a host looks like, its plain form is the same host, and stays as it is.
func FuzzPlain(f *testing.F) {
	for _, seed := range []string{"0x7f.1", "[::ffff:1.2.3.4]", "①⑥⑨.254.169.254", "fe80::1%eth0", "ｅxample。com..", "::1:2:3:4:5:6:7"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, host string) {
		a, ok := ParseAddress(host)
		if again, still := ParseAddress(a.String()); ok && (!still || again != a) {
			t.Errorf("%q is %s, which is read as %s", host, a, again)
		}
		if Local(host) != Local(Plain(host)) || Metadata(host) != Metadata(Plain(host)) {
			t.Errorf("%q and %q differ", host, Plain(host))
		}
		ParseNetwork(host)
	})
}
