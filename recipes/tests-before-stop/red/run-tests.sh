echo "1 test failed"
exit 1
