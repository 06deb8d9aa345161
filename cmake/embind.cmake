# shorten_embind(<source> <result>): copies Emscripten's bind.cpp without the types that no table of ours has: wide strings,
# 64-bit integers, and views of other arrays than bytes, int32, uint32, float and double. Their JavaScript would be in every loader.
function(shorten_embind source result)
  file(READ "${source}" embind)
  foreach(pattern
      "_embind_register_std_wstring[(]"
      "_embind_register_std_string[(][^<]*<std::basic_string<unsigned char>"
      "register_bigint<u?int64_t>[(]"
      "register_memory_view<(char|signed char|short|unsigned short|long|int[0-9]+_t|uint16_t|uint64_t)>[(]")
    if(NOT embind MATCHES "\n *${pattern}[^;]*;")
      message(FATAL_ERROR
        "${source} of this Emscripten is another bind.cpp: nothing in it matches\n  ${pattern}\n"
        "Look what it registers, adapt cmake/embind.cmake, and run tests/js/size.test.js.")
    endif()
    string(REGEX REPLACE "\n *${pattern}[^;]*;" "" embind "${embind}")
  endforeach()
  # Keeps the time of an unchanged file, so that nothing is recompiled.
  file(WRITE "${result}.new" "${embind}")
  file(COPY_FILE "${result}.new" "${result}" ONLY_IF_DIFFERENT)
endfunction()
