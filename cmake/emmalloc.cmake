# repair_emmalloc(<source> <result>): copies Emscripten's emmalloc.c and repairs a comparison in which the sum of an
# address and a size overflows near 4 GB, so that a request that is too large succeeds.
function(repair_emmalloc source result)
  set(overflowing "payloadStartPtrAligned + size > payloadEndPtr")
  set(repaired "payloadStartPtrAligned > payloadEndPtr || size > (size_t)(payloadEndPtr - payloadStartPtrAligned)")
  file(READ "${source}" emmalloc)
  string(REPLACE "${overflowing}" "${repaired}" emmalloc "${emmalloc}")
  string(FIND "${emmalloc}" "${repaired}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR
      "${source} of this Emscripten is another emmalloc.c: it has neither\n"
      "  ${overflowing}\n"
      "which overflows near 4 GB, nor its repair. Look how its attempt_allocate() compares a size with the free space, "
      "adapt cmake/emmalloc.cmake, and run tests/faults/memory.test.js.")
  endif()
  # Keeps the time of an unchanged file, so that nothing is recompiled.
  file(WRITE "${result}.new" "${emmalloc}")
  file(COPY_FILE "${result}.new" "${result}" ONLY_IF_DIFFERENT)
endfunction()
