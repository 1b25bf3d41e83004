"""Seeds of the filter harness: addresses, arithmetic, and the words of other links than Ethernet."""

SEEDS: dict[str, bytes] = {
    "addresses": b"src host 1.2.3.4 and not (tcp port 80 or dst net 10.0.0.0/8) || ether host 1:2:3:4:5:6 && ip6 host ::1",
    "arithmetic": b"tcp[tcpflags] & (tcp-syn|tcp-fin) != 0 and "
    b"len - 0x10 >= (ip[2:2] << 2) * 3 % 7 and icmp[icmptype] = icmp-echo",
    "others": b"vlan 1 and ether proto \\ip and less 60 and udp portrange 1-9 and greater 5 and llc i",
    "wireless": b"type mgt subtype beacon and dir tods or wlan addr1 1:2:3:4:5:6",
    "pflog": b"action pass and reason match and on a and rnr 1",
    "atm": b"vpi 1 and vci (2 or 3) and lane",
    "mtp": b"fisu or opc 1 and hsio > 2",
}
