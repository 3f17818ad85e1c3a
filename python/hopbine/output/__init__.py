"""What commands print, draw progress with and write files by."""
