# The program beside `cc`.
status 0 accrue --help
contains out.txt 'accrue cc'
status 0 accrue --version
contains out.txt accrue
status 1 accrue
status 1 accrue no-such-command
contains err.txt no-such-command
