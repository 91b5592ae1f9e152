#!/bin/sh
# A GTP engine that misbehaves, for the tests of matches. It passes, until:
#   pass       nothing happens
#   illegal    it plays A1 again and again
#   outside    it plays Z99
#   garbage    it answers with words
#   noise      it prints lines outside its answers (and is to be understood nevertheless)
#   refuse     it refuses the opponent's moves
#   hang       it does not answer its second genmove
#   slow       it takes a second for its second genmove
#   crash      it ends at its second genmove, with last words on stderr
#   killed     it is killed at its second genmove
#   resign     it resigns
#   sulk       it ends when it is told of a pass
#   alive      as pass; as a referee it finds no stone dead, and knows nothing of sekis
#   seki       as pass; as a referee it finds no stone dead, and the chain of C1 in seki
#   nonsense   as pass; as a referee it answers with words
mode=$1
count=0
answer() { printf '=%s %s\n\n' "$id" "$1"; }
refuse() { printf '?%s %s\n\n' "$id" "$1"; }
genmove() {
    count=$((count + 1))
    case $mode in
        illegal) answer A1; return ;;
        outside) answer Z99; return ;;
        garbage) answer "I have no idea"; return ;;
        resign) answer resign; return ;;
    esac
    if [ "$count" -ge 2 ]; then
        case $mode in
            hang) exec sleep 1000 ;;
            slow) sleep 1 ;;
            crash) echo "out of memory, alas" >&2; exit 3 ;;
            killed) kill -9 $$ ;;
        esac
    fi
    answer pass
}
while read -r id name rest; do
    [ "$mode" = noise ] && echo "thinking about $name"
    case "$mode $name $rest" in
        "sulk play "*[Pp][Aa][Ss][Ss]) exit 1 ;;
    esac
    case $name in
        list_commands) printf '=%s name\nversion\nlist_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\nquit\nfinal_status_list\n\n' "$id" ;;
        name) answer "Fake" ;;
        version) answer "$mode" ;;
        clear_board) count=0; answer "" ;;
        boardsize) [ "$rest" -gt 19 ] && refuse "unacceptable size" || answer "" ;;
        komi) answer "" ;;
        play) [ "$mode" = refuse ] && [ "${rest#white }" != "$rest" ] && refuse "illegal move" || answer "" ;;
        genmove) genmove ;;
        final_status_list)
            case "$mode $rest" in
                nonsense*) answer "who knows" ;;
                "alive seki") refuse "no such status" ;;
                "seki seki") answer C1 ;;
                *) answer "" ;;
            esac ;;
        quit) answer ""; exit 0 ;;
        *) refuse "unknown command" ;;
    esac
done
