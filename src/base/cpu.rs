//! Functions compiled for AVX2 and AVX-512 too, chosen when the program runs.

/// Compiles a function for AVX2 and AVX-512 too, with the instructions on bits
/// that processors with these have; a call takes the widest that the processor
/// has. What the function calls is compiled along if it is always inlined, which
/// closures are not. The function may have one constant parameter. Who uses it
/// says what was measured.
macro_rules! for_widest_vectors {
    (
        $(#[$doc:meta])*
        $visibility:vis fn $name:ident$(<const $n:ident: usize>)?(
            $($arg:ident: $type:ty),* $(,)?
        ) $(-> $result:ty)? $body:block
    ) => {
        $(#[$doc])*
        $visibility fn $name$(<const $n: usize>)?($($arg: $type),*) $(-> $result)? {
            #[inline(always)]
            fn generic$(<const $n: usize>)?($($arg: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx2,popcnt,bmi1,bmi2,lzcnt")]
                fn avx512$(<const $n: usize>)?($($arg: $type),*) $(-> $result)? { generic($($arg),*) }
                #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
                fn avx2$(<const $n: usize>)?($($arg: $type),*) $(-> $result)? { generic($($arg),*) }
                if is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                {
                    // SAFETY: the processor has the instructions.
                    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                        return unsafe { avx512($($arg),*) };
                    }
                    // SAFETY: as above.
                    return unsafe { avx2($($arg),*) };
                }
            }
            generic($($arg),*)
        }
    };
}
